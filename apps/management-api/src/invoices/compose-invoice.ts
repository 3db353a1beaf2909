import type { CreateInvoiceBody, InvoiceParty, InvoiceSettingsBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { buildInvoice, createDayRates, dayKey, selectLines } from '@weir/finance';
import { DAY_MS } from '@weir/usage';
import { monthEnd, monthStart, readFigures, type Figures } from '../finance/read-figures';
import { readFinanceDocument } from '../records/finance-documents';
import { notFound } from '../records/require-id';
import type { RouteParts } from '../route/management-parts';
import type { InvoiceDocument } from './invoice-document';
import { invoiceSettingsOf } from './invoice-settings';

const PAYMENT_DAYS = 30;

type Asked = { readonly organizationId: string; readonly body: CreateInvoiceBody };
type Terms = InvoiceSettingsBody & { readonly currency: string; readonly payment_days: number };

/** What an invoice would have on it as things stand, and whether it could be issued so: not while its month runs or has to be closed. */
export async function previewInvoice(parts: RouteParts, asked: Asked): Promise<InvoiceDocument & { readonly is_preliminary: boolean }> {
  const { month } = asked.body;
  if (monthStart(month) > parts.now())
    throw new GatewayError('conflict', `${month} has not begun: there is nothing to show of it.`, { field: 'month' });
  const { document, problem } = await compose(parts, asked);
  return { ...document, is_preliminary: problem !== undefined };
}

/**
 * An invoice as it would be issued now, without a number. Throws `conflict` while the month runs or, where months are closed, is open, where no seller or buyer is
 * known, and for a day without a rate; `not_found` for a group that the organization never had.
 */
export async function composeInvoice(parts: RouteParts, asked: Asked): Promise<InvoiceDocument> {
  // Nothing is read of a month that runs.
  if (monthEnd(asked.body.month) > parts.now()) throw stillRuns(asked.body.month);
  const { document, problem } = await compose(parts, asked);
  if (problem !== undefined) throw problem;
  return document;
}

async function compose(
  parts: RouteParts,
  { organizationId, body }: Asked,
): Promise<{ readonly document: InvoiceDocument; readonly problem: GatewayError | undefined }> {
  const { month, recipient } = body;
  const isOver = monthEnd(month) <= parts.now();
  const own = parts.database.asOrganization(organizationId);
  const terms = await own.transact((tx) => readTerms(tx, organizationId, body));
  const { currency } = terms;
  const figures = await readFigures(parts, { organizationId, month, currency });
  const lines = selectLines(figures.lines, recipient);
  if (recipient.kind === 'group' && lines.length === 0) await own.transact((tx) => requireGroup(tx, organizationId, recipient.group_id));
  const rates = figures.rates ?? createDayRates([], currency);
  const issuedMs = parts.now();
  const problem = isOver ? findUnclosed(month, figures) : stillRuns(month);
  const document: InvoiceDocument = {
    number: null,
    kind: 'invoice',
    corrects: null,
    issued_on: dayKey(issuedMs),
    due_on: dayKey(issuedMs + terms.payment_days * DAY_MS),
    month,
    recipient,
    seller: requireParty(terms.seller, 'seller'),
    buyer: requireParty(terms.buyer, 'buyer'),
    ...buildInvoice(lines, { rates, tax: terms.tax ?? null }),
    note: terms.note ?? null,
  };
  return { document, problem };
}

/** What the request says, else what the settings do. */
async function readTerms(tx: Prisma.TransactionClient, organizationId: string, body: CreateInvoiceBody): Promise<Terms> {
  const { document: settings } = await readFinanceDocument(tx, invoiceSettingsOf(organizationId));
  const { month: _month, recipient: _recipient, series: _series, ...given } = body;
  const merged = { ...settings, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
  return { ...merged, currency: merged.currency ?? 'USD', payment_days: merged.payment_days ?? PAYMENT_DAYS };
}

function requireParty(party: InvoiceParty | undefined, field: 'seller' | 'buyer'): InvoiceParty {
  if (party !== undefined) return party;
  const message = `Neither the request nor the settings of invoices say who the ${field} is. Send \`${field}\`, or set it for all.`;
  throw new GatewayError('conflict', message, { field });
}

async function requireGroup(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<void> {
  if ((await tx.userGroup.count({ where: { organizationId, id } })) === 0) throw notFound('group', id);
}

/** Who closes months bills what they were closed with, from the first one that was closed. */
function findUnclosed(month: string, { close, closedMonths: [first] }: Figures): GatewayError | undefined {
  if (close !== null || first === undefined || month < first) return undefined;
  return new GatewayError('conflict', `${month} is not closed, and this organization closes its months. Close it first.`, {
    field: 'month',
  });
}

function stillRuns(month: string): GatewayError {
  return new GatewayError('conflict', `${month} is not over: what is used until its end would not be on the invoice.`, { field: 'month' });
}
