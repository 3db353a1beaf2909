import { exchangeRateParameters, importExchangeRatesBody } from '@weir/contracts';
import type { Operation } from './operation';
import { exchangeRates, importedRates } from '../schemas/management/finance';
import { nameRequest } from '../schemas/named-schemas';

export const FINANCE_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-exchange-rates',
    tag: 'Finance',
    summary: 'Read exchange rates by day',
    about:
      'What amounts of each UTC day are converted by: the rate of the day, or the last one of the seven days before it. Half-open, at most 400 days.',
    query: exchangeRateParameters,
    responses: { 200: { about: 'The rates, and days without one.', json: exchangeRates } },
    examples: [{ summary: 'A month', query: { currency: 'EUR', start: '2026-10-01', end: '2026-11-01' }, status: 200 }],
  },
  {
    id: 'import-exchange-rates',
    tag: 'Finance',
    summary: 'Load exchange rates',
    about:
      'For all organizations: only administrators of the operator’s own organization may (`weir organization operator`). A rate is what one unit of `base`, USD unless given, is worth in `currency`; of a list by another base, such as the European Central Bank’s, the rate of USD has to be part. The body may be CSV (`text/csv`) with the columns `day`, `currency`, `rate` and `base`. The same rates again change nothing; others for the same day need `replace`.',
    body: nameRequest('ImportExchangeRates', importExchangeRatesBody),
    responses: { 200: { about: 'Loaded: all of them or none.', json: importedRates } },
    errors: ['conflict'],
    examples: [
      {
        summary: 'Two days',
        body: {
          source: 'European Central Bank',
          rates: [
            { day: '2026-10-01', base: 'EUR', currency: 'USD', rate: '1.0850' },
            { day: '2026-10-02', base: 'EUR', currency: 'USD', rate: '1.0871' },
          ],
        },
        status: 200,
      },
    ],
  },
];
