"""Invoices over HTTP."""

import psycopg
from fastapi import APIRouter, Depends

from billing.deps import User, current_user, database

router = APIRouter(prefix="/invoices")


@router.get("")
def list_invoices(user: User = Depends(current_user), db: psycopg.Connection = Depends(database)) -> list:
    """The team's invoices."""
    return db.execute("SELECT id, total FROM invoices WHERE team = %s", (user.team,)).fetchall()


@router.post("/{invoice_id}/send")
def send_invoice(
    invoice_id: int, user: User = Depends(current_user), db: psycopg.Connection = Depends(database)
) -> dict:
    """Queues an invoice for sending."""
    db.execute("UPDATE invoices SET state = 'queued' WHERE id = %s AND team = %s", (invoice_id, user.team))
    return {"queued": invoice_id}
