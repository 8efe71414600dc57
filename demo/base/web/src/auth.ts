import type { NextFunction, Request, Response } from "express";

/** Answers 401 unless somebody is signed in. */
export function requireUser(req: Request, res: Response, next: NextFunction): void {
  if (!req.session?.userId) {
    res.status(401).json({ error: "sign in first" });
    return;
  }
  next();
}

/** Answers 403 unless the user is a member of staff. */
export function requireStaff(req: Request, res: Response, next: NextFunction): void {
  if (!req.session?.staff) {
    res.status(403).json({ error: "staff only" });
    return;
  }
  next();
}
