import path from "node:path";
import { Router } from "express";
import { requireUser } from "../auth.js";

export const files = Router();
const MANUALS = "/srv/shop/manuals";

/** The manual of one product. */
files.get("/manuals/:id", requireUser, (req, res) => {
  const id = Number.parseInt(req.params.id, 10);
  res.sendFile(path.join(MANUALS, `${id}.pdf`));
});
