import { Router, type Request, type Response } from "express";
import { requireUser } from "../auth.js";
import { pool } from "../db.js";

export const invoices = Router();

/** The invoices of the signed-in user. */
invoices.get("/invoices", requireUser, async (req: Request, res: Response) => {
  const { rows } = await pool.query("SELECT id, total FROM invoices WHERE user_id = $1", [req.session.userId]);
  res.json(rows);
});
