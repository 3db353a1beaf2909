import type { EndpointCase } from './endpoint-case';
import type { Maker } from './maker';

const string: unknown = expect.any(String);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const unknownField = { body: { surprise: 1 }, field: 'surprise' };
const rate = { day: '2026-10-01', currency: 'EUR', rate: '0.92' };

const party = { name: 'Seller', address: ['1 Street', 'Town'], tax_id: 'DE123' };
const invoice = (series: string) => ({
  month: '2026-01',
  recipient: { kind: 'organization' },
  series,
  seller: party,
  buyer: { name: 'Buyer' },
  currency: 'USD',
  tax: null,
});
const seriesOf = (make: Maker): string =>
  make
    .name()
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 16);
const planned = { month: '2026-11', subject: { kind: 'organization' }, amount_usd: '1' };
const nextToClose = async (make: Maker): Promise<object> => ({ month: await make.monthToClose() });
const invoices = [
  unknownField,
  { body: { ...invoice('S'), month: '2026-00' }, field: 'month' },
  { body: { ...invoice('S'), recipient: { kind: 'group' } }, field: 'recipient.group_id' },
  { body: { ...invoice('S'), series: 'lower' }, field: 'series' },
  { body: { ...invoice('S'), currency: 'EUX' }, field: 'currency' },
];

// prettier-ignore
export const FINANCE_CASES: readonly EndpointCase[] = [
  { id: 'read-exchange-rates', status: 200, query: '?currency=JPY&start=2026-10-01&end=2026-10-03', response: { exchange_rates: { currency: 'JPY', rates: [], missing: ['2026-10-01', '2026-10-02'] } }, refused: [{ query: '', field: 'currency' }, { query: '?currency=JPY&start=2026-10-01&end=2026-10-01', field: 'end' }, { query: '?currency=JPY&start=2026-01-01&end=2027-10-01', field: 'end' }, { query: '?currency=XXZ&start=2026-10-01&end=2026-10-03', field: 'currency' }] },
  { id: 'import-exchange-rates', status: 200, body: async (make) => { await make.operator(); return { rates: [rate], replace: true }; }, response: { imported: { replaced: 0 } }, refused: [unknownField, { body: { rates: [] }, field: 'rates' }, { body: { rates: [{ ...rate, rate: '0' }] }, field: 'rates.0.rate' }, { body: { rates: [{ ...rate, currency: 'USD' }] }, field: 'rates.0.currency' }, { body: { rates: [{ ...rate, base: 'EUX' }] }, field: 'rates.0.base' }, { body: { rates: [rate, rate] }, field: 'rates.1.day' }], conflicts: [async (make) => { await make.operator(); return { body: { rates: [{ ...rate, rate: '0.93' }] } }; }] },
  { id: 'read-cost-centres', status: 200, response: { cost_centres: { default: string } } },
  { id: 'replace-cost-centres', status: 200, body: async (make) => ({ label: 'cost-center', rules: [{ cost_centre: '4711', group_id: await make.group() }], default: 'Rest' }), response: { cost_centres: { label: 'cost-center', default: 'Rest', rules: [{ cost_centre: '4711' }], since: string } }, refused: [unknownField, { body: {}, field: 'default' }, { body: { default: 'x', label: '' }, field: 'label' }, { body: { default: 'x', rules: [{ cost_centre: 'y' }] }, field: 'rules.0.cost_centre' }, { body: { default: 'x', rules: [{ cost_centre: 'y', group_id: UNKNOWN_ID, member_id: UNKNOWN_ID }] }, field: 'rules.0.cost_centre' }], foreign: [async (_make, elsewhere) => ({ body: { default: 'x', rules: [{ cost_centre: 'y', group_id: await elsewhere.group() }] } }), async (_make, elsewhere) => ({ body: { default: 'x', rules: [{ cost_centre: 'y', api_key_id: await elsewhere.key() }] } }), async (_make, elsewhere) => ({ body: { default: 'x', rules: [{ cost_centre: 'y', member_id: await elsewhere.member() }] } })] },
  { id: 'report-cost-centres', status: 200, query: '?month=2026-08', response: { cost_centre_report: { month: '2026-08', total: { spend_usd: '0' } } }, refused: [{ query: '', field: 'month' }, { query: '?month=2026-13', field: 'month' }, { query: '?month=2999-01', field: 'month' }, { query: '?month=2026-08&currency=XXZ', field: 'currency' }] },
  { id: 'read-price-list', status: 200, response: { price_list: { entries: expect.any(Array) } } },
  { id: 'replace-price-list', status: 200, body: () => Promise.resolve({ entries: [{ models: ['sandbox/*'], steps: [{ from: '2026-10-01', percent: '12.5' }] }] }), response: { price_list: { entries: [{ models: ['sandbox/*'], steps: [{ from: '2026-10-01', percent: '12.5' }] }], since: string } }, refused: [unknownField, { body: {}, field: 'entries' }, { body: { entries: [{ models: [], steps: [{ from: '2026-10-01', factor: '1' }] }] }, field: 'entries.0.models' }, { body: { entries: [{ models: ['*'], steps: [{ from: '2026-10-01' }] }] }, field: 'entries.0.steps.0.percent' }, { body: { entries: [{ models: ['*'], steps: [{ from: '2026-10-01', percent: '-101' }] }] }, field: 'entries.0.steps.0.percent' }, { body: { entries: [{ models: ['*'], steps: [{ from: '2026-10-01', factor: '1.0000001' }] }] }, field: 'entries.0.steps.0.factor' }, { body: { entries: [{ models: ['*'], steps: [{ from: '2026-10-01', factor: '1' }, { from: '2026-10-01', factor: '2' }] }] }, field: 'entries.0.steps' }] },
  { id: 'read-invoice-settings', status: 200, response: { invoice_settings: expect.any(Object) } },
  { id: 'replace-invoice-settings', status: 200, body: () => Promise.resolve({ seller: party, currency: 'EUR', tax: { name: 'VAT', rate_percent: '19' }, payment_days: 14 }), response: { invoice_settings: { seller: party, currency: 'EUR', payment_days: 14 } }, refused: [unknownField, { body: { currency: 'EUX' }, field: 'currency' }, { body: { seller: { name: '' } }, field: 'seller.name' }, { body: { tax: { name: 'VAT', rate_percent: '-1' } }, field: 'tax.rate_percent' }] },
  { id: 'preview-invoice', status: 200, body: () => Promise.resolve(invoice('S')), response: { invoice: { number: null, total: '0.00', lines: [] } }, refused: invoices, conflicts: [() => Promise.resolve({ body: { ...invoice('S'), month: '2999-01' } })], foreign: [async (_make, elsewhere) => ({ body: { ...invoice('S'), recipient: { kind: 'group', group_id: await elsewhere.group() } } })] },
  { id: 'create-invoice', status: 201, body: (make) => Promise.resolve(invoice(seriesOf(make))), response: { invoice: { id: string, kind: 'invoice', number: expect.stringMatching(/-000001$/), lines: [], net: '0.00', tax: null } }, refused: invoices, conflicts: [() => Promise.resolve({ body: { ...invoice('S'), month: '2999-01' } }), async (make) => { const series = seriesOf(make); await make.invoice({ series }); return { body: invoice(series) }; }, async (make) => { const series = seriesOf(make); await make.invoice({ series }); return { body: { ...invoice(series), recipient: { kind: 'cost_centre', cost_centre: 'x' } } }; }], foreign: [async (_make, elsewhere) => ({ body: { ...invoice('S'), recipient: { kind: 'group', group_id: await elsewhere.group() } } })] },
  { id: 'list-invoices', status: 200, response: { invoices: expect.any(Array) }, refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?limit=0', field: 'limit' }, { query: '?cursor=elsewhere', field: 'cursor' }, { query: '?month=2026', field: 'month' }] },
  { id: 'read-invoice', status: 200, params: async (make) => ({ id: await make.invoice() }), response: { invoice: { number: string, corrects: null, seller: { name: 'Seller' } } } },
  { id: 'read-invoice-pdf', status: 200, params: async (make) => ({ id: await make.invoice() }) },
  { id: 'create-credit-note', status: 201, params: async (make) => ({ id: await make.invoice() }), body: () => Promise.resolve({ because: 'a mistake' }), response: { invoice: { kind: 'credit_note', corrects: { because: 'a mistake' } } }, refused: [unknownField, { body: {}, field: 'because' }] },
  { id: 'read-month-close', status: 200, query: '?month=2026-01', response: { month_close: { month: '2026-01' } }, refused: [{ query: '', field: 'month' }, { query: '?month=2999-01', field: 'month' }] },
  { id: 'close-month', status: 200, body: (make) => nextToClose(make), response: { month_close: { status: 'closed', total: { spend_usd: '0' }, adjustments: [] } }, refused: [unknownField, { body: { month: '2026-1' }, field: 'month' }, { body: { month: '2026-01', currencies: ['EUX'] }, field: 'currency' }], conflicts: [() => Promise.resolve({ body: { month: new Date().toISOString().slice(0, 7) } })] },
  { id: 'reopen-month', status: 200, body: async (make) => ({ month: (await make.closedMonth()).month, because: 'a correction' }), response: { month_reopened: { because: 'a correction', reopened_at: string } }, refused: [unknownField, { body: { month: '2026-01' }, field: 'because' }], conflicts: [() => Promise.resolve({ body: { month: '2019-01', because: 'x' } })] },
  { id: 'read-budget-plan', status: 200, response: { budget_plan: { entries: expect.any(Array) } } },
  { id: 'replace-budget-plan', status: 200, body: async (make) => ({ entries: [{ month: '2026-11', subject: { kind: 'group', group_id: await make.group() }, amount_usd: '1500' }] }), response: { budget_plan: { entries: [{ month: '2026-11', amount_usd: '1500' }], since: string } }, refused: [unknownField, { body: {}, field: 'entries' }, { body: { entries: [{ ...planned, amount_usd: '0' }] }, field: 'entries.0.amount_usd' }, { body: { entries: [{ ...planned, month: '2026' }] }, field: 'entries.0.month' }, { body: { entries: [planned, planned] }, field: 'entries' }], foreign: [async (_make, elsewhere) => ({ body: { entries: [{ ...planned, subject: { kind: 'group', group_id: await elsewhere.group() } }] } })] },
  { id: 'report-budgets', status: 200, query: '?month=2026-01', response: { budget_report: { month: '2026-01', basis: 'billed' } }, refused: [{ query: '', field: 'month' }, { query: '?month=2026-01&basis=list', field: 'basis' }, { query: '?month=2999-01', field: 'month' }] },
];
