import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { creditInvoice, dayKey, nameRecipient } from '@weir/finance';
import { runChange, type ChangeCaller } from '../changes/run-change';
import { lockFinance } from '../records/finance-documents';
import { notFound } from '../records/require-id';
import type { RouteParts } from '../route/management-parts';
import { writeNumber, type InvoiceDocument } from './invoice-document';

type Transaction = Prisma.TransactionClient;
export type InvoiceRow = Prisma.InvoiceGetPayload<object>;

/** As callers see it. */
export function describeInvoice({ id, document, createdAt }: InvoiceRow): object {
  return { id, ...(document as Prisma.JsonObject), created_at: createdAt.toISOString() };
}

type Wanted = { readonly series: string; readonly document: InvoiceDocument };

/** Issues an invoice under the next number. Throws `conflict` for what is on an invoice of the series already. */
export function issueInvoice(parts: RouteParts, caller: ChangeCaller, { series, document }: Wanted): Promise<InvoiceRow> {
  return runChange(parts, caller, async (tx) => {
    await lockFinance(tx, caller.organizationId);
    await refuseSecond(tx, caller.organizationId, { series, document });
    return describeIssue(await keep(tx, caller.organizationId, { series, document, correctsId: null, nowMs: parts.now() }));
  });
}

type Correction = { readonly id: string; readonly because: string };

/** Takes an invoice back with a credit note, under the next number of its series. Throws `conflict` where that has been done. */
export function issueCreditNote(parts: RouteParts, caller: ChangeCaller, { id, because }: Correction): Promise<InvoiceRow> {
  const { organizationId } = caller;
  return runChange(parts, caller, async (tx) => {
    await lockFinance(tx, organizationId);
    const invoice = await findInvoice(tx, organizationId, id);
    const document = invoice.document as unknown as InvoiceDocument;
    if (invoice.kind !== 'invoice') throw new GatewayError('conflict', 'A credit note cannot be taken back: issue the invoice anew.');
    const second = await tx.invoice.findUnique({ where: { correctsId: id } });
    if (second !== null) throw new GatewayError('conflict', `It was taken back by ${writeNumber(second.series, second.number)} already.`);
    const today = dayKey(parts.now());
    const credit: InvoiceDocument = {
      ...document,
      ...creditInvoice(document),
      ...{ kind: 'credit_note', issued_on: today, due_on: today },
      corrects: { id, number: writeNumber(invoice.series, invoice.number), because },
    };
    const { series } = invoice;
    return describeIssue(await keep(tx, organizationId, { series, document: credit, correctsId: id, nowMs: parts.now() }));
  });
}

export async function findInvoice(tx: Transaction, organizationId: string, id: string): Promise<InvoiceRow> {
  const invoice = await tx.invoice.findFirst({ where: { organizationId, id } });
  if (invoice === null) throw notFound('invoice', id);
  return invoice;
}

/** In one series, a month is split in one way only, and each part is billed once: no usage is on two invoices that stand. */
async function refuseSecond(tx: Transaction, organizationId: string, { series, document }: Wanted): Promise<void> {
  const { kind, name } = nameRecipient(document.recipient);
  const others = await tx.invoice.findMany({ where: { organizationId, series, month: document.month } });
  const takenBack = new Set(others.flatMap(({ correctsId }) => correctsId ?? []));
  for (const other of others) {
    if (other.kind !== 'invoice' || takenBack.has(other.id)) continue;
    const number = writeNumber(other.series, other.number);
    if (other.recipient === name)
      throw new GatewayError('conflict', `${document.month} is on ${number} already. Take that back with a credit note first.`);
    const before = nameRecipient((other.document as unknown as InvoiceDocument).recipient);
    if (before.kind !== kind) {
      const message = `${number} of this series bills ${document.month} by ${before.kind}: by ${kind} some usage would be billed twice. Use another series.`;
      throw new GatewayError('conflict', message, { field: 'recipient' });
    }
  }
}

type Kept = Wanted & { readonly correctsId: string | null; readonly nowMs: number };

/** The number is taken in the transaction that keeps the invoice: one that fails takes none. */
async function keep(tx: Transaction, organizationId: string, { series, document, correctsId, nowMs }: Kept): Promise<InvoiceRow> {
  const where = { organizationId_series: { organizationId, series } };
  const found = await tx.invoiceSeries.findUnique({ where });
  const number = (found?.lastNumber ?? 0) + 1;
  if (found === null) await tx.invoiceSeries.create({ data: { organizationId, series, lastNumber: number } });
  else await tx.invoiceSeries.update({ where, data: { lastNumber: number } });
  const numbered = { ...document, number: writeNumber(series, number) };
  return tx.invoice.create({
    data: {
      ...{ organizationId, series, number, kind: document.kind, correctsId, month: document.month },
      recipient: nameRecipient(document.recipient).name,
      document: numbered as unknown as Prisma.InputJsonObject,
      createdAt: new Date(nowMs),
    },
  });
}

function describeIssue(row: InvoiceRow) {
  const { number, month, recipient, currency, total, corrects } = row.document as unknown as InvoiceDocument;
  return {
    result: row,
    audit: {
      targetKind: 'finance' as const,
      targetId: row.id,
      before: null,
      after: { number, month, recipient: { ...recipient }, currency, total, corrects: corrects === null ? null : { ...corrects } },
    },
    changed: [],
  };
}
