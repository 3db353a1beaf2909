import type { CreateInvoiceBody, InvoiceParty, InvoiceSettingsBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { buildInvoice, createDayRates, dayKey, selectLines } from '@weir/finance';
import { DAY_MS } from '@weir/usage';
import { monthEnd, readFigures, type Figures } from '../finance/read-figures';
import { readFinanceDocument } from '../records/finance-documents';
import { notFound } from '../records/require-id';
import type { RouteParts } from '../route/management-parts';
import type { InvoiceDocument } from './invoice-document';
import { invoiceSettingsOf } from './invoice-settings';

const PAYMENT_DAYS = 30;

type Asked = { readonly organizationId: string; readonly body: CreateInvoiceBody };
type Terms = InvoiceSettingsBody & { readonly currency: string; readonly payment_days: number };

/**
 * An invoice as it would be issued now, without a number. Throws `conflict` while the month runs or, where months are closed, is open, where no seller or buyer is
 * known, and for a day without a rate; `not_found` for a group that the organization never had.
 */
export async function composeInvoice(parts: RouteParts, { organizationId, body }: Asked): Promise<InvoiceDocument> {
  const { month, recipient } = body;
  if (monthEnd(month) > parts.now()) throw stillRuns(month);
  const own = parts.database.asOrganization(organizationId);
  const terms = await own.transact((tx) => readTerms(tx, organizationId, body));
  const { currency } = terms;
  const figures = await readFigures(parts, { organizationId, month, currency });
  requireClosed(month, figures);
  const lines = selectLines(figures.lines, recipient);
  if (recipient.kind === 'group' && lines.length === 0) await own.transact((tx) => requireGroup(tx, organizationId, recipient.group_id));
  const rates = figures.rates ?? createDayRates([], currency);
  const issuedMs = parts.now();
  return {
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
function requireClosed(month: string, { close, closedMonths: [first] }: Figures): void {
  if (close !== null || first === undefined || month < first) return;
  throw new GatewayError('conflict', `${month} is not closed, and this organization closes its months. Close it first.`, {
    field: 'month',
  });
}

function stillRuns(month: string): GatewayError {
  return new GatewayError('conflict', `${month} is not over: what is used until its end would not be on the invoice.`, { field: 'month' });
}
