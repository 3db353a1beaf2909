import {
  costCentreReportParameters,
  costCentresBody,
  exchangeRateParameters,
  importExchangeRatesBody,
  priceListBody,
} from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { costCentreReport, costCentres, exchangeRates, importedRates, priceList } from '../schemas/management/finance';
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
  {
    id: 'read-cost-centres',
    tag: 'Finance',
    summary: 'Read the rules of cost centres',
    responses: { 200: { about: 'What is in force.', json: costCentres } },
    examples: [{ summary: 'The rules', status: 200 }],
  },
  {
    id: 'replace-cost-centres',
    tag: 'Finance',
    summary: 'Replace the rules of cost centres',
    about:
      'Each request has exactly one cost centre: the value of `label` of its key, else of its group, as both were at the time; else that of the first rule that names its group, key or member; else `default`.',
    body: nameRequest('CostCentreRules', costCentresBody),
    responses: { 200: { about: 'What is in force now.', json: costCentres } },
    errors: ['not_found'],
    examples: [
      {
        summary: 'By a label, a group without one, and the rest',
        body: {
          label: 'cost-center',
          rules: [{ cost_centre: '4711 Research', group_id: EXAMPLE_IDS.group }],
          default: '9999 Unassigned',
        },
        status: 200,
      },
    ],
  },
  {
    id: 'report-cost-centres',
    tag: 'Finance',
    summary: 'A month by cost centre',
    about: 'Every cent is in exactly one cost centre. `currency` shows amounts in another currency beside those in USD.',
    query: costCentreReportParameters,
    responses: { 200: { about: 'The month.', json: costCentreReport } },
    errors: ['conflict', 'rate_limited'],
    examples: [{ summary: 'A month', query: { month: '2026-10' }, status: 200 }],
  },
  {
    id: 'read-price-list',
    tag: 'Finance',
    summary: 'Read the organization’s own prices',
    responses: { 200: { about: 'What is in force.', json: priceList } },
    examples: [{ summary: 'The price list', status: 200 }],
  },
  {
    id: 'replace-price-list',
    tag: 'Finance',
    summary: 'Replace the organization’s own prices',
    about:
      'What the organization charges others for usage, as a percentage on top of what it costs, or as a factor of it. The first entry whose patterns have a model decides; of its steps the last that has begun on the UTC day of the request. Reports then show both, and invoices charge these; limits and the balance go on by what usage costs.',
    body: nameRequest('PriceList', priceListBody),
    responses: { 200: { about: 'What is in force now.', json: priceList } },
    examples: [
      {
        summary: 'Fifteen percent on top, and twice as much for speech',
        body: {
          entries: [
            { models: ['*/tts*'], steps: [{ from: '2026-10-01', factor: '2' }] },
            { models: ['*'], steps: [{ from: '2026-10-01', percent: '15' }] },
          ],
        },
        status: 200,
      },
    ],
  },
];
