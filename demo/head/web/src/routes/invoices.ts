import { Router, type Request, type Response } from "express";
import { requireUser } from "../auth.js";
import { pool } from "../db.js";

export const invoices = Router();
const TABLE = "invoices";
const SORTABLE: Record<string, string> = { date: "issued_at", total: "total" };

/** The invoices of the signed-in user, in the order asked for. */
invoices.get("/invoices", requireUser, async (req: Request, res: Response) => {
  const column = SORTABLE[String(req.query.sort)] ?? "issued_at";
  const { rows } = await pool.query(`SELECT id, total FROM ${TABLE} WHERE user_id = $1 ORDER BY ${column}`, [
    req.session.userId,
  ]);
  res.json(rows);
});

/** One invoice of the signed-in user. */
invoices.get("/invoices/:id", requireUser, async (req: Request, res: Response) => {
  const { rows } = await pool.query(`SELECT id, total, state FROM ${TABLE} WHERE id = $1 AND user_id = $2`, [
    req.params.id,
    req.session.userId,
  ]);
  res.json(rows[0] ?? null);
});

/** Deletes a draft of the signed-in user. */
invoices.delete("/invoices/:id", requireUser, async (req: Request, res: Response) => {
  await pool.query("DELETE FROM invoices WHERE id = $1 AND user_id = $2 AND state = 'draft'", [
    req.params.id,
    req.session.userId,
  ]);
  res.status(204).end();
});
