import type { EndpointCase } from './endpoint-case';

const unknownField = { body: { surprise: 1 }, field: 'surprise' };
const rate = { day: '2026-10-01', currency: 'EUR', rate: '0.92' };

// prettier-ignore
export const FINANCE_CASES: readonly EndpointCase[] = [
  { id: 'read-exchange-rates', status: 200, query: '?currency=JPY&start=2026-10-01&end=2026-10-03', response: { exchange_rates: { currency: 'JPY', rates: [], missing: ['2026-10-01', '2026-10-02'] } }, refused: [{ query: '', field: 'currency' }, { query: '?currency=JPY&start=2026-10-01&end=2026-10-01', field: 'end' }, { query: '?currency=JPY&start=2026-01-01&end=2027-10-01', field: 'end' }, { query: '?currency=XXZ&start=2026-10-01&end=2026-10-03', field: 'currency' }] },
  { id: 'import-exchange-rates', status: 200, body: async (make) => { await make.operator(); return { rates: [rate], replace: true }; }, response: { imported: { replaced: 0 } }, refused: [unknownField, { body: { rates: [] }, field: 'rates' }, { body: { rates: [{ ...rate, rate: '0' }] }, field: 'rates.0.rate' }, { body: { rates: [{ ...rate, currency: 'USD' }] }, field: 'rates.0.currency' }, { body: { rates: [{ ...rate, base: 'EUX' }] }, field: 'rates.0.base' }, { body: { rates: [rate, rate] }, field: 'rates.1.day' }], conflicts: [async (make) => { await make.operator(); return { body: { rates: [{ ...rate, rate: '0.93' }] } }; }] },
];
