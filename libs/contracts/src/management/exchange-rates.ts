import { z } from 'zod';

/** ISO 4217, in capitals. */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be the code of a currency such as EUR');

/** Above zero, exact: up to 12 digits before and 18 after the point. */
const rate = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,18})?$/, 'must be a decimal number as text, such as "0.9217"')
  .refine((text) => /[1-9]/.test(text), { message: 'must be above 0' });

/** Body of `POST /v1/manage/exchange-rate`: what one unit of `base` is worth in `currency` on a UTC day. */
export const importExchangeRatesBody = z.strictObject({
  rates: z
    .array(z.strictObject({ day: z.iso.date(), base: currencyCode.default('USD'), currency: currencyCode, rate }))
    .min(1)
    .max(20_000),
  /** Who published them. */
  source: z.string().trim().min(1).max(200).optional(),
  /** Lets rates take the place of others that were loaded for the same day. */
  replace: z.boolean().default(false),
});

/** Query of `GET /v1/manage/exchange-rate`: half-open, at most 400 days. */
export const exchangeRateParameters = z.strictObject({ currency: currencyCode, start: z.iso.date(), end: z.iso.date() });
