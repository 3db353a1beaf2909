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

export const costCentreReport = nameReply(
  'CostCentreReport',
  z.object({
    cost_centre_report: z.object({
      month,
      as_of: z.iso.datetime(),
      rules_version: version,
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
