import { z } from 'zod';
import { decimal } from '../gateway/organization';
import { nameReply } from '../named-schemas';

const day = z.iso.date();
const currencyDecimal = z.string().describe('Exact decimal text.');

export const convertedBy = nameReply(
  'ConvertedBy',
  z.object({
    code: z.string().describe('ISO 4217.'),
    rates: z
      .array(
        z.object({
          day,
          published_on: day.describe('The day whose rate it is: the same, or the last one before it that has a rate, at most seven days.'),
          per_usd: currencyDecimal.describe('Units of the currency for one USD, as exact decimal text.'),
        }),
      )
      .describe('Of each day that has any usage.'),
  }),
);

export const exchangeRates = nameReply(
  'ExchangeRates',
  z.object({
    exchange_rates: z.object({
      currency: z.string(),
      rates: convertedBy.shape.rates,
      missing: z.array(day).describe('Days that have no rate, nor one of the seven days before.'),
    }),
  }),
);

export const importedRates = nameReply(
  'ImportedExchangeRates',
  z.object({ imported: z.object({ loaded: z.int(), replaced: z.int(), unchanged: z.int() }) }),
);

const count = z.string().describe('A whole number as text.');
const inCurrency = z
  .object({ spend: currencyDecimal, billed: currencyDecimal, charged: currencyDecimal })
  .optional()
  .describe('The same in the currency that was asked for, each day by its rate, rounded once.');

/** What lines of usage add up to. */
const moneySums = {
  requests: count,
  attempts: count,
  spend_usd: decimal.describe('What the usage is worth at the prices of the time, as exact decimal text.'),
  billed_usd: decimal.describe('What the organization owes for it: nothing under its own accounts with providers.'),
  charged_usd: decimal.describe('The same at the organization’s own prices: exact decimal text of up to 18 places.'),
  in_currency: inCurrency,
};

const month = z.string().describe('`2026-10`, UTC.');
const version = z.int().describe('Grows with each change; 0 where nothing was given yet.');
const since = z.iso.datetime().nullable();

export const costCentres = nameReply(
  'CostCentres',
  z.object({
    cost_centres: z.object({
      label: z.string().nullable(),
      rules: z.array(
        z.object({
          cost_centre: z.string(),
          group_id: z.string().optional(),
          api_key_id: z.string().optional(),
          member_id: z.string().optional(),
        }),
      ),
      default: z.string(),
      version,
      since,
    }),
  }),
);

const centresAndTotal = {
  cost_centres: z
    .array(
      z.object({
        cost_centre: z.string(),
        ...moneySums,
        assigned_by: z
          .array(z.object({ by: z.enum(['api_key_label', 'group_label', 'rule', 'default']), ...moneySums }))
          .describe('By what usage came to this cost centre.'),
      }),
    )
    .describe('The dearest first. Their sum is `total`, to the last digit.'),
  total: z.object(moneySums),
  adjustments: z
    .array(z.object({ month, ...moneySums }))
    .describe('What of it is of months that were closed before it was counted or corrected; part of `total`.'),
};

export const costCentreReport = nameReply(
  'CostCentreReport',
  z.object({
    cost_centre_report: z.object({
      month,
      status: z.enum(['open', 'closed']).describe('A closed month stays as it was closed.'),
      as_of: z.iso.datetime(),
      rules_version: version,
      ...centresAndTotal,
      currency: convertedBy.optional(),
    }),
  }),
);

export const priceList = nameReply(
  'PriceListReply',
  z.object({
    price_list: z.object({
      entries: z.array(
        z.object({
          models: z.array(z.string()),
          steps: z.array(z.object({ from: day, percent: z.string().optional(), factor: z.string().optional() })),
        }),
      ),
      version,
      since,
    }),
  }),
);

const party = z.object({ name: z.string(), address: z.array(z.string()), tax_id: z.string().optional(), email: z.string().optional() });
const tax = z.object({ name: z.string(), rate_percent: z.string() });

export const invoiceSettings = nameReply(
  'InvoiceSettingsReply',
  z.object({
    invoice_settings: z.object({
      seller: party.optional(),
      buyer: party.optional(),
      currency: z.string().optional(),
      tax: tax.nullable().optional(),
      payment_days: z.int().optional(),
      note: z.string().optional(),
      version,
      since,
    }),
  }),
);

const amount = z.string().describe('In the currency of the invoice, as exact decimal text; below zero on a credit note.');

const invoiceFields = {
  number: z.string().nullable().describe('`INV-000042`: without gaps in its series. Null of a preview.'),
  kind: z.enum(['invoice', 'credit_note']),
  corrects: z
    .object({ id: z.string(), number: z.string(), because: z.string() })
    .nullable()
    .describe('Of a credit note: the invoice that it takes back.'),
  issued_on: day,
  due_on: day,
  month,
  recipient: z.object({
    kind: z.enum(['organization', 'group', 'label', 'cost_centre']),
    group_id: z.string().optional(),
    label: z.string().optional(),
    value: z.string().optional(),
    cost_centre: z.string().optional(),
  }),
  seller: party,
  buyer: party,
  currency: z.string(),
  lines: z.array(
    z.object({
      description: z.string(),
      model: z.string(),
      modality: z.string(),
      requests: count,
      billed_usd: decimal.describe('What it costs, as exact decimal text in USD.'),
      charged_usd: decimal.describe('The same at the organization’s own prices.'),
      amount: amount.describe(
        '`charged_usd` in the currency of the invoice: of USD exactly, of another each day by its rate, rounded at twelve places.',
      ),
    }),
  ),
  rounding: amount.describe('What lines and net differ by: a line of its own.'),
  net: amount.describe('Lines and rounding together, to the smallest amount that is paid in the currency.'),
  tax: tax.extend({ amount }).nullable(),
  total: amount,
  billed_usd: decimal.describe('What all lines cost: the same as in usage and ledger, to the last digit.'),
  charged_usd: decimal,
  rates: convertedBy.shape.rates,
  note: z.string().nullable(),
};

const issued = nameReply('Invoice', z.object({ id: z.uuid(), ...invoiceFields, created_at: z.iso.datetime() }));
export const oneInvoice = nameReply('InvoiceReply', z.object({ invoice: issued }));
export const invoicePreview = nameReply(
  'InvoicePreview',
  z.object({
    invoice: z.object({
      ...invoiceFields,
      is_preliminary: z
        .boolean()
        .describe('It cannot be issued as it is: the month runs, or is not closed where this organization closes its months.'),
    }),
  }),
);
export const invoices = nameReply('Invoices', z.object({ invoices: z.array(issued), next: z.string().nullish() }));

const closeFields = { month, closed_at: z.iso.datetime().nullable(), rules_version: version, ...centresAndTotal };
const closedMonth = z.object({ ...closeFields, status: z.enum(['open', 'closed']) });

export const monthCloseReply = nameReply('MonthCloseReply', z.object({ month_close: closedMonth }));

export const monthCloseState = nameReply(
  'MonthCloseState',
  z.object({
    month_close: closedMonth.extend({
      checklist: z
        .array(z.object({ item: z.string(), ok: z.boolean(), message: z.string().describe('What is open; empty where nothing is.') }))
        .optional()
        .describe('What has to be so before the month is closed; absent of a closed month.'),
    }),
  }),
);

export const reopenedMonth = nameReply(
  'ReopenedMonth',
  z.object({ month_reopened: z.object({ month, reopened_at: z.iso.datetime(), because: z.string() }) }),
);
