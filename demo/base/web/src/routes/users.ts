import { Router, type Request, type Response } from "express";
import { requireUser } from "../auth.js";
import { pool } from "../db.js";

export const users = Router();

/** Users of one team. */
users.get("/users", requireUser, async (req: Request, res: Response) => {
  const team = req.query.team;
  const { rows } = await pool.query(`SELECT id, name FROM users WHERE team = '${team}'`);
  res.json(rows);
});

/** Users whose name starts with a prefix. */
users.get("/users/suggest", requireUser, async (req: Request, res: Response) => {
  const prefix = req.query.prefix;
  const { rows } = await pool.query(`SELECT id, name FROM users WHERE name LIKE '${prefix}%'`);
  res.json(rows);
});
