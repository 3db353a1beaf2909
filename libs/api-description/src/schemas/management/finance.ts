import { z } from 'zod';
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
