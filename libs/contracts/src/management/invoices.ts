import { z } from 'zod';
import { calendarMonth } from './cost-centres';
import { currencyCode } from './exchange-rates';
import { pageParameters } from './pages';

const line = z.string().trim().min(1).max(200);

/** Who bills, or who is billed, as it stands on an invoice. */
const party = z.strictObject({
  name: line,
  address: z.array(line).max(8).default([]),
  tax_id: line.optional(),
  email: z.email().max(254).optional(),
});
export type InvoiceParty = z.output<typeof party>;

const tax = z.strictObject({
  name: z.string().trim().min(1).max(50),
  rate_percent: z.string().regex(/^\d{1,2}(?:\.\d{1,4})?$/, 'must be a decimal number as text, such as "19" or "8.1"'),
});

const terms = {
  currency: currencyCode.optional(),
  /** Null: none is added. */
  tax: tax.nullable().optional(),
  payment_days: z.int().min(0).max(365).optional(),
  /** Printed below the sums, such as a reason for no tax. */
  note: z.string().trim().min(1).max(1000).optional(),
};

/** Body of `PUT /v1/manage/invoice-settings`: what invoices have that say nothing else. */
export const invoiceSettingsBody = z.strictObject({ seller: party.optional(), buyer: party.optional(), ...terms });
export type InvoiceSettingsBody = z.output<typeof invoiceSettingsBody>;

/** Whose usage it is about. */
export const costSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organization') }),
  z.strictObject({ kind: z.literal('group'), group_id: z.uuid().toLowerCase() }),
  z.strictObject({ kind: z.literal('label'), label: z.string().min(1).max(64), value: z.string().min(1).max(256) }),
  z.strictObject({ kind: z.literal('cost_centre'), cost_centre: z.string().min(1).max(256) }),
]);
export type InvoiceRecipient = z.output<typeof costSubject>;

/** Body of `POST /v1/manage/invoice` and of its preview. */
export const createInvoiceBody = z.strictObject({
  month: calendarMonth,
  recipient: costSubject,
  series: z
    .string()
    .regex(/^[A-Z0-9]{1,16}(?:-[A-Z0-9]{1,16})*$/, 'must be capital letters and digits, such as INV or INV-2026')
    .max(40)
    .default('INV'),
  seller: party.optional(),
  buyer: party.optional(),
  ...terms,
});
export type CreateInvoiceBody = z.output<typeof createInvoiceBody>;

/** Body of `POST /v1/manage/invoice/{id}/credit-note`. */
export const creditInvoiceBody = z.strictObject({ because: z.string().trim().min(1).max(500) });

/** Query of `GET /v1/manage/invoice`. */
export const invoiceListParameters = pageParameters.extend({ month: calendarMonth.optional(), series: z.string().max(40).optional() });
