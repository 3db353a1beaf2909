import { parseDecimal } from '@weir/pricing';
import { inflateSync } from 'node:zlib';
import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const day = (at: number): number => Date.UTC(2026, 7, at, 12);
const PARTIES = { seller: { name: 'Seller', address: ['1 Street'] }, buyer: { name: 'Łódź Ελλάδα', address: [] } };
const ORGANIZATION = { month: '2026-08', recipient: { kind: 'organization' }, ...PARTIES };

beforeEach(() => {
  suite.harness.now = () => Date.UTC(2026, 8, 3, 12);
});

type Line = { model: string; amount: string; billed_usd: string };
type Sums = { rounding: string; net: string; total: string; billed_usd: string };
type Invoice = Sums & { id: string; number: string; kind: string; lines: Line[] };

const issue = async (body: object = ORGANIZATION): Promise<Invoice> => {
  const { status, text, json } = await suite.send('POST', '/v1/manage/invoice', body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json['invoice'] as unknown as Invoice;
};
const refusal = async (path: string, body: object): Promise<unknown> => {
  const { status, json } = await suite.send('POST', path, body);
  return [status, json.error.message];
};
const exact = (text: string): bigint => (text.startsWith('-') ? -exact(text.slice(1)) : parseDecimal(text, 18));

const use = (): Promise<string> =>
  applyUsage(suite, [
    { admitted_at: day(3), cost_p: '1234567890123', model_used: 'a' },
    { admitted_at: day(20), cost_p: '7', model_used: 'a' },
    { admitted_at: day(20), cost_p: '3000000000000', model_used: 'b' },
    { admitted_at: day(21), cost_p: '9', model_used: 'b', is_byok: true, billed_p: '0' },
  ]);

it('adds up to what usage, ledger and reconciliation say, to the last digit, with rounding as a line of its own', async () => {
  await use();
  const invoice = await issue();

  expect(invoice).toMatchObject({
    number: 'INV-000001',
    billed_usd: '4.23456789013',
    rounding: '-0.00456789013',
    net: '4.23',
    total: '4.23',
  });
  expect(invoice.lines.map(({ model, amount }) => [model, amount])).toEqual([
    ['a', '1.23456789013'],
    ['b', '3'],
  ]);
  expect(invoice.lines.reduce((sum, { amount }) => sum + exact(amount), exact(invoice.rounding))).toBe(exact(invoice.net));
  const { reconciliation } = await suite.get('/v1/manage/reconciliation?month=2026-08');
  const { places } = reconciliation as { places: { place: string; billed_usd: string | null }[] };
  for (const place of ['events', 'hour', 'day', 'month', 'ledger'])
    expect(places.find((one) => one.place === place)?.billed_usd).toBe(invoice.billed_usd);
  expect((await suite.get(`/v1/manage/invoice/${invoice.id}`))['invoice']).toEqual(invoice);
});

it('has numbers without gaps in each series, whatever fails and however many are issued at once', async () => {
  await use();
  const groups = await Promise.all(Array.from({ length: 6 }, () => suite.make.group()));
  const replies = await Promise.all([
    ...groups.map((id) =>
      suite.send('POST', '/v1/manage/invoice', { ...ORGANIZATION, recipient: { kind: 'group', group_id: id }, series: 'G' }),
    ),
    suite.send('POST', '/v1/manage/invoice', { ...ORGANIZATION, recipient: { kind: 'group', group_id: groups[0] }, series: 'G' }),
    suite.send('POST', '/v1/manage/invoice', { ...ORGANIZATION, month: '2026-09', series: 'G' }),
  ]);

  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 201, 409, 409]);
  await issue({ ...ORGANIZATION, series: 'OTHER' });
  const { invoices } = await suite.get('/v1/manage/invoice?series=G');
  expect((invoices as Invoice[]).map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6].map((at) => `G-00000${at}`));
  const { pool } = suite.harness.database;
  const series = "WHERE series = 'G' AND organization_id = $1";
  for (const statement of [
    `UPDATE invoice SET month = '2026-07' ${series}`,
    `DELETE FROM invoice ${series}`,
    `UPDATE invoice_series SET last_number = last_number + 2 ${series}`,
    // One that stands on no invoice when the transaction ends.
    `UPDATE invoice_series SET last_number = last_number + 1 ${series}`,
    `INSERT INTO invoice (organization_id, series, number, kind, month, recipient, document) VALUES ($1, 'G', 8, 'invoice', '2026-08', 'x', '{}')`,
  ])
    await expect(pool.query(statement, [suite.ours.id])).rejects.toThrow();
});

it('previews a month that runs, or is to be closed, as preliminary, and issues none of them', async () => {
  await use();
  const look = async (month: string) =>
    (await suite.send('POST', '/v1/manage/invoice/preview', { ...ORGANIZATION, month })).json['invoice'];
  expect(await look('2026-08')).toMatchObject({ is_preliminary: false, number: null, net: '4.23' });

  suite.harness.now = () => Date.UTC(2026, 7, 20, 13);
  expect(await look('2026-08')).toMatchObject({ is_preliminary: true, number: null, net: '4.23' });
  expect(await refusal('/v1/manage/invoice', ORGANIZATION)).toEqual([409, expect.stringContaining('is not over')]);

  suite.harness.now = () => Date.UTC(2026, 8, 3, 12);
  expect((await suite.send('POST', '/v1/manage/org/month-close', { month: '2026-07' })).status).toBe(200);
  expect(await look('2026-08')).toMatchObject({ is_preliminary: true });
  expect(await refusal('/v1/manage/invoice', ORGANIZATION)).toEqual([409, expect.stringContaining('is not closed')]);
});

it('bills nothing twice: a month of a series is split in one way, and each part is billed once', async () => {
  await use();
  const first = await issue();

  expect(await refusal('/v1/manage/invoice', ORGANIZATION)).toEqual([409, expect.stringContaining('on INV-000001 already')]);
  const byCentre = { ...ORGANIZATION, recipient: { kind: 'cost_centre', cost_centre: 'Unassigned' } };
  expect(await refusal('/v1/manage/invoice', byCentre)).toEqual([409, expect.stringContaining('bills 2026-08 by organization')]);
  expect(await issue({ ...byCentre, series: 'CC' })).toMatchObject({ number: 'CC-000001', billed_usd: first.billed_usd });
  expect(await refusal('/v1/manage/invoice', { ...ORGANIZATION, month: '2026-09' })).toEqual([409, expect.stringContaining('is not over')]);
  expect(await refusal('/v1/manage/invoice', { month: '2026-07', recipient: { kind: 'organization' } })).toEqual([
    409,
    expect.stringContaining('who the seller is'),
  ]);
});

it('is taken back by a credit note alone, after which its usage is billed anew', async () => {
  await use();
  const first = await issue({ ...ORGANIZATION, tax: { name: 'VAT', rate_percent: '19' } });
  const path = `/v1/manage/invoice/${first.id}/credit-note`;

  const { json } = await suite.send('POST', path, { because: 'a wrong address' });
  const credit = json['invoice'] as unknown as Invoice;
  expect(credit).toMatchObject({
    ...{ number: 'INV-000002', kind: 'credit_note', net: '-4.23', total: '-5.03', billed_usd: '-4.23456789013' },
    corrects: { id: first.id, number: 'INV-000001', because: 'a wrong address' },
  });
  expect(await refusal(path, { because: 'again' })).toEqual([409, expect.stringContaining('taken back by INV-000002')]);
  expect(await refusal(`/v1/manage/invoice/${credit.id}/credit-note`, { because: 'x' })).toEqual([409, expect.any(String)]);
  expect(await issue()).toMatchObject({ number: 'INV-000003' });
  const [line] = (await suite.get('/v1/manage/audit?limit=1'))['audit'];
  expect(line).toMatchObject({ action: 'create-invoice', after: { number: 'INV-000003', total: '4.23', currency: 'USD' } });
});

it('takes settings, own prices and the rate of each day, as they were when it was issued', async () => {
  await use();
  await suite.make.operator();
  const rates = [
    { day: '2026-08-01', currency: 'EUR', rate: '0.5' },
    { day: '2026-08-20', currency: 'EUR', rate: '0.25' },
  ];
  await suite.send('POST', '/v1/manage/exchange-rate', { rates });
  await suite.send('PUT', '/v1/manage/price-list', { entries: [{ models: ['b'], steps: [{ from: '2026-08-01', factor: '2' }] }] });
  const settings = { seller: PARTIES.seller, currency: 'EUR', tax: { name: 'VAT', rate_percent: '10' }, payment_days: 7 };
  await suite.send('PUT', '/v1/manage/invoice-settings', settings);

  const asked = { month: '2026-08', recipient: { kind: 'organization' }, buyer: PARTIES.buyer };
  const preview = (await suite.send('POST', '/v1/manage/invoice/preview', asked)).json['invoice'];
  const invoice = await issue(asked);

  // 1.234567890123 by 0.5, 7 pico by 0.25; 3 twice by 0.25.
  expect(invoice).toMatchObject({
    ...{ currency: 'EUR', issued_on: '2026-09-03', due_on: '2026-09-10', billed_usd: '4.23456789013', charged_usd: '7.23456789013' },
    lines: [{ amount: '0.617283945063' }, { amount: '1.5' }],
    ...{ net: '2.12', tax: { name: 'VAT', rate_percent: '10', amount: '0.21' }, total: '2.33' },
  });
  expect(preview).toEqual({ ...invoice, number: null, id: undefined, created_at: undefined, is_preliminary: false });
  await suite.send('PUT', '/v1/manage/price-list', { entries: [] });
  expect((await suite.get(`/v1/manage/invoice/${invoice.id}`))['invoice']).toEqual(invoice);
});

it('comes as a PDF of as many pages as it needs, the same each time, with the invoice in it', async () => {
  await applyUsage(
    suite,
    Array.from({ length: 90 }, (_, at) => ({ admitted_at: day(3), cost_p: String(10 ** 9 + at), model_used: `vendor/model-${at}` })),
  );
  const invoice = await issue();
  const download = async (): Promise<Buffer> => {
    const reply = await fetch(`${suite.harness.url}/v1/manage/invoice/${invoice.id}/pdf`, {
      headers: { authorization: `Bearer ${suite.ours.apiKey}` },
    });
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="INV-000001.pdf"');
    return Buffer.from(await reply.arrayBuffer());
  };

  const bytes = await download();

  const text = bytes.toString('latin1');
  expect(text.slice(0, 5)).toBe('%PDF-');
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(2);
  const streams = [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body = '']) => Buffer.from(body, 'latin1'));
  const inflated = streams.flatMap((stream) => {
    try {
      return [inflateSync(stream).toString('utf8')];
    } catch {
      return [];
    }
  });
  const { id: _id, ...document } = invoice;
  const attached = inflated.filter((one) => one.startsWith('{"')).map((one) => JSON.parse(one) as object);
  expect(attached).toEqual([Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'created_at'))]);
  expect((await download()).equals(bytes)).toBe(true);
});
