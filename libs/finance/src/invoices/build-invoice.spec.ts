import { parseDecimal } from '@weir/pricing';
import fc from 'fast-check';
import { NO_COST_CENTRES } from '../lines/assign-cost-centre';
import { createDayRates } from '../currencies/day-rates';
import type { ChargeLine } from '../lines/charge-line';
import { priceLines } from '../lines/priced-line';
import { createPriceList, OUR_PRICES, type PriceList } from '../price-list/price-list';
import { buildInvoice, creditInvoice, type InvoiceSums } from './build-invoice';
import { nameRecipient, selectLines } from './select-lines';

const USD = createDayRates([], 'USD');
const EUR = createDayRates([{ base: 'USD', currency: 'EUR', day: '2026-10-01', rate: '0.923456789012345678' }], 'EUR');
const JPY = createDayRates([{ base: 'USD', currency: 'JPY', day: '2026-10-01', rate: '150.55' }], 'JPY');

const line = (more: Partial<ChargeLine>): ChargeLine => ({
  ...{ day: '2026-10-01', apiKeyId: 'key', memberId: null, groupId: null, keyLabels: {}, groupLabels: {} },
  ...{ modelUsed: 'a', providerUsed: 'p', modality: 'chat', isByok: false, requests: 1n, attempts: 1n, costPico: 0n },
  billedPico: more.costPico ?? 0n,
  ...more,
});
type Terms = Parameters<typeof buildInvoice>[1] & { readonly prices: PriceList };
const build = (lines: readonly ChargeLine[], { prices, ...terms }: Terms): InvoiceSums =>
  buildInvoice(priceLines(lines, { rules: NO_COST_CENTRES, prices }), terms);
const exact = (text: string): bigint => (text.startsWith('-') ? -exact(text.slice(1)) : parseDecimal(text, 36));
const sum = ({ lines, rounding }: InvoiceSums): bigint => lines.reduce((all, { amount }) => all + exact(amount), exact(rounding));

describe('an invoice', () => {
  it('has a line for each model, a line for rounding, tax of the net, and sums to the last digit', () => {
    const lines = [
      line({ costPico: 1_234_567_890_123n, requests: 2n }),
      line({ costPico: 1n, day: '2026-10-02' }),
      line({ modelUsed: 'b', modality: 'speech', costPico: 10_000_000_000_000n }),
      line({ modelUsed: 'own account', costPico: 5n, billedPico: 0n, isByok: true }),
    ];

    const invoice = build(lines, { prices: OUR_PRICES, rates: USD, tax: { name: 'VAT', rate_percent: '19' } });

    expect(invoice).toEqual({
      currency: 'USD',
      lines: [
        {
          ...{ description: 'a (chat)', model: 'a', modality: 'chat', requests: '3', billed_usd: '1.234567890124' },
          ...{ charged_usd: '1.234567890124', amount: '1.234567890124' },
        },
        { description: 'b (speech)', model: 'b', modality: 'speech', requests: '1', billed_usd: '10', charged_usd: '10', amount: '10' },
      ],
      rounding: '-0.004567890124',
      net: '11.23',
      tax: { name: 'VAT', rate_percent: '19', amount: '2.13' },
      total: '13.36',
      billed_usd: '11.234567890124',
      charged_usd: '11.234567890124',
      rates: [],
    });
  });

  it('charges own prices, in another currency by the rate of each day', () => {
    const prices = createPriceList([{ models: ['a'], steps: [{ from: '2026-10-01', percent: '10' }] }]);
    const invoice = build([line({ costPico: 100_000_000_000_000n })], { prices, rates: EUR, tax: null });

    expect(invoice).toMatchObject({
      ...{ billed_usd: '100', charged_usd: '110', net: '101.58', rounding: '-0.000246791358', tax: null, total: '101.58' },
      lines: [{ amount: '101.580246791358' }],
      rates: [{ day: '2026-10-01', published_on: '2026-10-01', per_usd: '0.923456789012345678' }],
    });
    expect(build([line({ costPico: 1_000_000_000_000n })], { prices, rates: JPY, tax: null })).toMatchObject({ net: '166' });
  });

  it('is taken back by one whose every amount is the other way round', () => {
    const invoice = build([line({ costPico: 1_234_567_890_123n })], {
      ...{ prices: OUR_PRICES, rates: USD },
      tax: { name: 'VAT', rate_percent: '8.1' },
    });

    const credit = creditInvoice(invoice);

    expect(credit).toMatchObject({ net: '-1.23', total: '-1.33', tax: { amount: '-0.10' }, rounding: '0.004567890123' });
    expect(sum(credit)).toBe(-sum(invoice));
    expect(creditInvoice(credit)).toEqual(invoice);
    expect(creditInvoice(build([], { prices: OUR_PRICES, rates: USD, tax: null }))).toMatchObject({ net: '0.00', rounding: '0' });
  });

  it('adds up in every currency and at every price, to the last digit', () => {
    const prices = createPriceList([{ models: ['a'], steps: [{ from: '2026-10-01', factor: '1.234567' }] }]);
    const aLine = fc.record({ modelUsed: fc.constantFrom('a', 'b', 'c'), costPico: fc.bigInt({ min: 0n, max: 10n ** 18n }) });
    fc.assert(
      fc.property(fc.array(aLine), fc.constantFrom(USD, EUR, JPY), fc.constantFrom('0', '19', '7.7', '99.9999'), (some, rates, rate) => {
        const lines = some.map(line);
        const invoice = build(lines, { prices, rates, tax: { name: 'T', rate_percent: rate } });

        expect(sum(invoice)).toBe(exact(invoice.net));
        expect(exact(invoice.net) + exact(invoice.tax?.amount ?? '0')).toBe(exact(invoice.total));
        const used = lines.reduce((all, { billedPico }) => all + billedPico, 0n);
        expect(exact(invoice.billed_usd)).toBe(used * 10n ** 24n);
        expect(invoice.lines.reduce((all, { billed_usd: usd }) => all + exact(usd), 0n)).toBe(used * 10n ** 24n);
      }),
    );
  });
});

describe('recipients', () => {
  const rules = { label: 'cc', rules: [{ cost_centre: '1', group_id: 'g' }], default: 'rest' };
  const lines = [
    line({ groupId: 'g' }),
    line({ keyLabels: { cc: '2' }, groupId: 'g' }),
    line({ groupLabels: { cc: '2' } }),
    line({ keyLabels: { cc: '3' }, groupLabels: { cc: '2' } }),
  ];

  it.each([
    [{ kind: 'organization' as const }, [0, 1, 2, 3]],
    [{ kind: 'group' as const, group_id: 'g' }, [0, 1]],
    [{ kind: 'label' as const, label: 'cc', value: '2' }, [1, 2]],
    [{ kind: 'cost_centre' as const, cost_centre: '1' }, [0]],
    [{ kind: 'cost_centre' as const, cost_centre: 'rest' }, []],
  ])('%j has the lines %j', (recipient, expected) => {
    const priced = priceLines(lines, { rules, prices: OUR_PRICES });
    expect(selectLines(priced, recipient)).toEqual(expected.map((at) => priced[at]));
  });

  it('are kept by what they are one of', () => {
    expect(nameRecipient({ kind: 'label', label: 'cc', value: '2' })).toEqual({ kind: 'label:cc', name: 'label:cc=2' });
  });
});
