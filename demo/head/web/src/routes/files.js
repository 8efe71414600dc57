import path from "node:path";
import { Router } from "express";
import { requireUser } from "../auth.js";

export const files = Router();
const MANUALS = "/srv/shop/manuals";
const PICTURES = "/srv/shop/pictures";

/** The manual of one product. */
files.get("/manuals/:id", requireUser, (req, res) => {
  const id = Number.parseInt(req.params.id, 10);
  res.sendFile(path.join(MANUALS, `${id}.pdf`));
});

/** A picture by its name. */
files.get("/pictures", requireUser, (req, res) => {
  const wanted = path.resolve(PICTURES, path.basename(req.query.name));
  res.sendFile(wanted);
});

/** A page of a manual as a picture. */
files.get("/manual-pages", requireUser, (req, res) => {
  res.sendFile(path.join(MANUALS, req.query.page));
});
