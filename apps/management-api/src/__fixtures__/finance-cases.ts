import type { EndpointCase } from './endpoint-case';

const string: unknown = expect.any(String);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const unknownField = { body: { surprise: 1 }, field: 'surprise' };
const rate = { day: '2026-10-01', currency: 'EUR', rate: '0.92' };

// prettier-ignore
export const FINANCE_CASES: readonly EndpointCase[] = [
  { id: 'read-exchange-rates', status: 200, query: '?currency=JPY&start=2026-10-01&end=2026-10-03', response: { exchange_rates: { currency: 'JPY', rates: [], missing: ['2026-10-01', '2026-10-02'] } }, refused: [{ query: '', field: 'currency' }, { query: '?currency=JPY&start=2026-10-01&end=2026-10-01', field: 'end' }, { query: '?currency=JPY&start=2026-01-01&end=2027-10-01', field: 'end' }, { query: '?currency=XXZ&start=2026-10-01&end=2026-10-03', field: 'currency' }] },
  { id: 'import-exchange-rates', status: 200, body: async (make) => { await make.operator(); return { rates: [rate], replace: true }; }, response: { imported: { replaced: 0 } }, refused: [unknownField, { body: { rates: [] }, field: 'rates' }, { body: { rates: [{ ...rate, rate: '0' }] }, field: 'rates.0.rate' }, { body: { rates: [{ ...rate, currency: 'USD' }] }, field: 'rates.0.currency' }, { body: { rates: [{ ...rate, base: 'EUX' }] }, field: 'rates.0.base' }, { body: { rates: [rate, rate] }, field: 'rates.1.day' }], conflicts: [async (make) => { await make.operator(); return { body: { rates: [{ ...rate, rate: '0.93' }] } }; }] },
  { id: 'read-cost-centres', status: 200, response: { cost_centres: { default: string } } },
  { id: 'replace-cost-centres', status: 200, body: async (make) => ({ label: 'cost-center', rules: [{ cost_centre: '4711', group_id: await make.group() }], default: 'Rest' }), response: { cost_centres: { label: 'cost-center', default: 'Rest', rules: [{ cost_centre: '4711' }], since: string } }, refused: [unknownField, { body: {}, field: 'default' }, { body: { default: 'x', label: '' }, field: 'label' }, { body: { default: 'x', rules: [{ cost_centre: 'y' }] }, field: 'rules.0.cost_centre' }, { body: { default: 'x', rules: [{ cost_centre: 'y', group_id: UNKNOWN_ID, member_id: UNKNOWN_ID }] }, field: 'rules.0.cost_centre' }], foreign: [async (_make, elsewhere) => ({ body: { default: 'x', rules: [{ cost_centre: 'y', group_id: await elsewhere.group() }] } }), async (_make, elsewhere) => ({ body: { default: 'x', rules: [{ cost_centre: 'y', api_key_id: await elsewhere.key() }] } }), async (_make, elsewhere) => ({ body: { default: 'x', rules: [{ cost_centre: 'y', member_id: await elsewhere.member() }] } })] },
  { id: 'report-cost-centres', status: 200, query: '?month=2026-08', response: { cost_centre_report: { month: '2026-08', total: { spend_usd: '0' } } }, refused: [{ query: '', field: 'month' }, { query: '?month=2026-13', field: 'month' }, { query: '?month=2999-01', field: 'month' }, { query: '?month=2026-08&currency=XXZ', field: 'currency' }] },
];
