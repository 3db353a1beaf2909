import { Prisma } from '../generated/prisma/client';

type Transaction = Prisma.TransactionClient;

export type ExchangeRateRow = { readonly base: string; readonly currency: string; readonly day: string; readonly rate: string };

type Span = { readonly currency: string; /** UTC days, `2026-10-03`; both are part of it. */ readonly from: string; readonly to: string };

/** The rates of a currency, of USD to other bases as well, of which a day's rate is made. */
export async function readExchangeRates(tx: Transaction, { currency, from, to }: Span): Promise<ExchangeRateRow[]> {
  return tx.$queryRaw<ExchangeRateRow[]>`SELECT base, currency, day, trim_scale(rate)::text AS rate FROM exchange_rate
    WHERE currency IN (${currency}, 'USD') AND day >= ${from} AND day <= ${to} ORDER BY day, base, currency`;
}

/** A rate that was loaded for the same day and is another one. */
export type ChangedRate = ExchangeRateRow & { readonly before: string };

/** Of these rates, those that have another value here already. Locks nothing: `loadExchangeRates` takes them in their order. */
export async function findChangedRates(tx: Transaction, rates: readonly ExchangeRateRow[]): Promise<ChangedRate[]> {
  return tx.$queryRaw<ChangedRate[]>`SELECT asked.base, asked.currency, asked.day, asked.rate, trim_scale(r.rate)::text AS before
    FROM ${asRows(rates)} JOIN exchange_rate r USING (base, currency, day) WHERE r.rate <> asked.rate::numeric
    ORDER BY asked.day, asked.currency, asked.base`;
}

/** Returns how many rates are new or have another value now. */
export async function loadExchangeRates(
  tx: Transaction,
  { rates, source }: { readonly rates: readonly ExchangeRateRow[]; readonly source: string | null },
): Promise<number> {
  return tx.$executeRaw`INSERT INTO exchange_rate (base, currency, day, rate, source)
    SELECT asked.base, asked.currency, asked.day, asked.rate::numeric, ${source}::text FROM ${asRows(rates)}
    ORDER BY asked.base, asked.currency, asked.day
    ON CONFLICT (base, currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source, loaded_at = now()
      WHERE exchange_rate.rate <> excluded.rate`;
}

function asRows(rates: readonly ExchangeRateRow[]): Prisma.Sql {
  const column = (name: keyof ExchangeRateRow): string[] => rates.map((rate) => rate[name]);
  return Prisma.sql`unnest(${column('base')}::text[], ${column('currency')}::text[], ${column('day')}::text[], ${column('rate')}::text[])
    AS asked(base, currency, day, rate)`;
}
