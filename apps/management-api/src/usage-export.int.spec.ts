import { randomUUID } from 'node:crypto';
import { createUsageStore } from '@weir/database';
import { parseUsd } from '@weir/pricing';
import { FOCUS_COLUMNS, USAGE_CSV_COLUMNS, type UsageStore } from '@weir/usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const NOW = Date.UTC(2026, 8, 3, 12);
const PATH = '/v1/manage/org/usage/export';
let store: UsageStore;

beforeEach(() => {
  suite.harness.now = () => NOW;
  store = createUsageStore({ pool: suite.harness.database.pool, now: () => NOW });
});

async function apply(events: readonly object[]): Promise<void> {
  const writerId = randomUUID();
  const units = { in: 10, out: 5, cached_in: 3, cache_w5m: 2, cache_w1h: 0, reasoning: 1, audio_in: 0, audio_out: 0 };
  const batch = events.map((event, at) => ({
    ...{ writerId, epoch: 1, sequence: BigInt(at) },
    payload: JSON.stringify({
      ...{ v: 1, event_id: `${at}:1`, request_id: `${at}`, attempt_no: 1, logical: true, admitted_at: Date.UTC(2026, 7, 7, 12) },
      ...{ ended_at: NOW, dur_ms: 1, ttft_ms: null, org_id: suite.ours.id, api_key_id: suite.ours.apiKeyId, user_id: null, group_id: null },
      ...{
        key_label_set_id: null,
        group_label_set_id: null,
        endpoint: 'chat-completions',
        modality: 'chat',
        model_requested: 'policy/best',
      },
      ...{ model_used: 'm', provider_used: 'p', region: null, is_byok: false, is_free: false, origin_title: null, end_user_id: null },
      ...{ trace_id: null, extra: {}, units: { ...units, images: 0, chars: 0, ms_audio: 0, searches: 0 }, unit_source: 'provider' },
      ...{ price_version: 'v1', cost_p: '1', billed_p: '1', reserve_p: '0', hold_id: null, hold_scopes: [], status: 'ok' },
      ...{ http_status: 200, error_origin: null, guardrail: null, ...event },
    }),
  }));
  expect(await store.applyBatch(batch, null)).toMatchObject({ applied: events.length });
}

function many(count: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const cost_p = String(1_000_000_007n * BigInt(at + 1));
    return {
      admitted_at: Date.UTC(2026, 7, 1 + (at % 31), at % 24),
      extra: { team: `t${at % 50}` },
      cost_p,
      billed_p: at % 5 === 0 ? '0' : cost_p,
    };
  });
}

type File = { readonly status: number; readonly bytes: string; readonly headers: Headers; readonly rows: Record<string, string>[] };

async function download(query: string): Promise<File> {
  const reply = await suite.send('GET', `${PATH}?${query}`);
  const [names = [], ...lines] = parseCsv(reply.text);
  const rows = lines.map((line) => Object.fromEntries(names.map((name, at) => [name, line[at] ?? ''])));
  return { status: reply.status, bytes: reply.text, headers: reply.headers, rows };
}

function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, -1)
        .map(([, cell = '']) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')),
    );
}

const sum = (rows: readonly Record<string, string>[], column: string): bigint =>
  rows.reduce((total, row) => total + parseUsd(row[column] ?? ''), 0n);

it('writes every line of a closed month, and its sums are those of usage, rollups and ledger to the last digit', async () => {
  await apply(many(1_000));
  const file = await download('period=2026-08');
  const [spend, billed] = [sum(file.rows, 'spend_usd'), sum(file.rows, 'billed_usd')];
  expect(spend).toBe(1_000_000_007n * BigInt((1_000 * 1_001) / 2));
  expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(file.headers.get('x-weir-usage-lines')).toBe(String(file.rows.length));
  expect([parseUsd(file.headers.get('x-weir-usage-spend') ?? ''), parseUsd(file.headers.get('x-weir-usage-billed') ?? '')]).toEqual([
    spend,
    billed,
  ]);
  const { json } = await suite.send('GET', '/v1/manage/org/usage?start=2026-08-01T00:00:00Z&end=2026-09-01T00:00:00Z&resolution=month');
  const usage = json['usage'] as Record<string, { spend: string; total_requests: number; input_tokens: number }>;
  expect(usage['2026-08-01T00:00:00Z']).toMatchObject({ total_requests: 1_000, input_tokens: 15_000 });
  expect(parseUsd(usage['2026-08-01T00:00:00Z']?.spend ?? '')).toBe(spend);
  expect(file.rows.reduce((total, row) => total + Number(row['input_tokens']), 0)).toBe(15_000);
  const reconciliation = (await suite.send('GET', '/v1/manage/reconciliation?month=2026-08')).json['reconciliation'] as Record<
    string,
    unknown
  >;
  expect(reconciliation).toMatchObject({ unexplained_usd: '0', differences: [], is_complete: true });
  const places = reconciliation['places'] as { place: string; spend_usd: string | null; billed_usd: string | null }[];
  expect(places.map(({ place }) => place)).toEqual(['events', 'hour', 'day', 'month', 'spend', 'ledger']);
  for (const { spend_usd, billed_usd } of places) {
    if (spend_usd !== null) expect(parseUsd(spend_usd)).toBe(spend);
    if (billed_usd !== null) expect(parseUsd(billed_usd)).toBe(billed);
  }
});

it('gives the same bytes without names when asked again, whatever was renamed or relabelled meanwhile, until usage of the month changes', async () => {
  const group = await suite.make.group();
  await suite.send('POST', `/v1/manage/apikey/${suite.ours.apiKeyId}/label`, { labels: { env: 'prod' } });
  const key = await suite.harness.database.prisma.apiKey.findUniqueOrThrow({ where: { id: suite.ours.apiKeyId } });
  await apply(many(40).map((event) => ({ ...event, group_id: group, key_label_set_id: key.labelSetId })));
  const [csv, focus] = [await download('period=2026-08&names=false'), await download('period=2026-08&format=focus')];
  expect(csv.rows[0]).toMatchObject({ group_id: group, api_key_labels: '{"env":"prod"}' });
  await suite.send('PATCH', `/v1/manage/group/${group}`, { name: 'renamed' });
  await suite.send('POST', `/v1/manage/apikey/${suite.ours.apiKeyId}/label`, { labels: { env: 'test', more: 'x' } });
  await apply([{ admitted_at: Date.UTC(2026, 8, 2) }]);
  expect((await download('period=2026-08&names=false')).bytes).toBe(csv.bytes);
  expect((await download('period=2026-08&format=focus')).bytes).toBe(focus.bytes);
  await apply([{ admitted_at: Date.UTC(2026, 7, 31, 23, 59), cost_p: '5', billed_p: '5' }]);
  const restated = await download('period=2026-08&names=false');
  expect(restated.headers.get('content-disposition')).toBe('attachment; filename="usage-csv-2026-08-r2.csv"');
  expect([csv.rows[0]?.['revision'], restated.rows[0]?.['revision'], restated.headers.get('x-weir-usage-revision')]).toEqual([
    '1',
    '2',
    '2',
  ]);
  expect(sum(restated.rows, 'spend_usd') - sum(csv.rows, 'spend_usd')).toBe(5n);
  expect(Date.parse(restated.rows[0]?.['as_of'] ?? '')).toBeGreaterThanOrEqual(Date.parse(csv.rows[0]?.['as_of'] ?? ''));
});

/** What FOCUS 1.2 wants in every dataset, and what is never null in a line of usage where it is there. */
const MANDATORY = [
  ...['BilledCost', 'BillingAccountId', 'BillingAccountName', 'BillingCurrency', 'BillingPeriodEnd', 'BillingPeriodStart'],
  ...['ChargeCategory', 'ChargeClass', 'ChargeDescription', 'ChargePeriodEnd', 'ChargePeriodStart', 'ContractedCost'],
  ...['EffectiveCost', 'InvoiceIssuerName', 'ListCost', 'PricingQuantity', 'PricingUnit', 'ProviderName', 'PublisherName'],
  ...['ServiceCategory', 'ServiceName'],
];
const NEVER_NULL = [
  ...MANDATORY.filter((name) => name !== 'ChargeClass'),
  ...['ConsumedQuantity', 'ConsumedUnit', 'PricingCategory', 'PricingCurrency', 'SkuId', 'SkuMeter', 'SkuPriceId'],
  ...['ContractedUnitPrice', 'ListUnitPrice', 'ResourceName', 'SubAccountId', 'SubAccountName', 'SubAccountType'],
];

it('speaks FOCUS: its columns, exact decimals, UTC, and no charge under an own provider key', async () => {
  const extra = { team: 'red, "hot"' };
  const group_id = await suite.make.group();
  await apply([
    { admitted_at: Date.UTC(2026, 7, 31, 23), cost_p: '1500000000001', billed_p: '1500000000001', extra, group_id },
    { admitted_at: Date.UTC(2026, 7, 31, 23), cost_p: '2000000000000', billed_p: '0', is_byok: true },
  ]);
  const { rows, bytes } = await download('period=2026-08-31&format=focus');
  expect(bytes.split('\n')[0]).toBe(FOCUS_COLUMNS.map(({ name }) => name).join(','));
  const [first] = rows.filter((row) => row['x_IsByok'] === 'false');
  expect(first).toMatchObject({
    ...{ BilledCost: '1.500000000001', EffectiveCost: '1.500000000001', ListCost: '1.500000000001', BillingCurrency: 'USD' },
    ...{ BillingAccountId: suite.ours.id, BillingPeriodStart: '2026-08-01T00:00:00Z', BillingPeriodEnd: '2026-09-01T00:00:00Z' },
    ...{ ChargePeriodStart: '2026-08-31T00:00:00Z', ChargePeriodEnd: '2026-09-01T00:00:00Z', ChargeCategory: 'Usage' },
    ...{ ConsumedQuantity: '1', ConsumedUnit: 'Requests', ResourceId: suite.ours.apiKeyId, SkuId: 'm', PublisherName: 'p' },
    ...{ Tags: '{"extra.team":"red, \\"hot\\""}', x_InputTokens: '15', x_CachedTokens: '3' },
  });
  expect(rows.find((row) => row['x_IsByok'] === 'true')).toMatchObject({ BilledCost: '0', EffectiveCost: '0', ListCost: '2' });
  expect(Object.keys(first ?? {})).toEqual(expect.arrayContaining(MANDATORY));
  expect(NEVER_NULL.filter((name) => first?.[name] === '')).toEqual([]);
});

it('reports media in their own units in both files, and in usage by their own requests', async () => {
  const none = { in: 0, out: 0, cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0, audio_in: 0, audio_out: 0, images: 0, chars: 0 };
  const units = (some: object) => ({ ...none, ms_audio: 0, searches: 0, ...some });
  await apply([
    {
      modality: 'image',
      endpoint: 'image-generations',
      units: units({ in: 12, out: 800, images: 2 }),
      cost_p: '40000000000',
      billed_p: '0',
      is_byok: true,
    },
    { modality: 'speech', endpoint: 'speech', units: units({ chars: 21 }), cost_p: '315000000', billed_p: '315000000' },
    { modality: 'transcription', endpoint: 'transcriptions', units: units({ ms_audio: 1500 }), cost_p: '150000000', billed_p: '150000000' },
    // An attempt that failed before one that succeeded: no request of its own, and no cost.
    {
      modality: 'image',
      endpoint: 'image-generations',
      units: units({}),
      logical: false,
      cost_p: '0',
      billed_p: '0',
      status: 'upstream_error',
    },
  ]);
  const [csv, focus] = [await download('period=2026-08-07'), await download('period=2026-08-07&format=focus')];
  const reported = csv.rows.map((row) =>
    [
      row['modality'],
      row['is_byok'],
      row['requests'],
      row['attempts'],
      row['images'],
      row['characters'],
      row['audio_ms'],
      row['spend_usd'],
      row['billed_usd'],
    ].join(' '),
  );
  expect(reported.sort()).toEqual([
    'image false 0 1 0 0 0 0 0',
    'image true 1 1 2 0 0 0.04 0',
    'speech false 1 1 0 21 0 0.000315 0.000315',
    'transcription false 1 1 0 0 1500 0.00015 0.00015',
  ]);
  const meters = focus.rows.map((row) =>
    [
      row['SkuMeter'],
      row['ConsumedQuantity'],
      row['x_Images'],
      row['x_Characters'],
      row['x_AudioMilliseconds'],
      row['x_Searches'],
      row['BilledCost'],
      row['ListCost'],
    ].join(' '),
  );
  expect(meters.sort()).toEqual([
    'image 0 0 0 0 0 0 0',
    'image 1 2 0 0 0 0 0.04',
    'speech 1 0 21 0 0 0.000315 0.000315',
    'transcription 1 0 0 1500 0 0.00015 0.00015',
  ]);
  for (const resolution of ['hour', 'day', 'month']) {
    const { json } = await suite.send('GET', `/v1/manage/org/usage?start=2026-08-07T00:00:00Z&resolution=${resolution}&group_by=is_byok`);
    const [entry] = Object.values(json['usage'] as Record<string, Record<string, unknown>>);
    expect(entry).toMatchObject({
      image_requests: 1,
      speech_requests: 1,
      transcription_requests: 1,
      completions_requests: 0,
      total_requests: 3,
      spend: '0.040465',
      input_tokens: 12,
      output_tokens: 800,
    });
    expect(entry?.['grouped_data']).toMatchObject([
      { group_by_values: { is_byok: 'true' }, image_requests: 1, total_requests: 1, spend: '0.04' },
      {
        group_by_values: { is_byok: 'false' },
        image_requests: 0,
        speech_requests: 1,
        transcription_requests: 1,
        total_requests: 2,
        spend: '0.000465',
      },
    ]);
  }
});

it('gives a header line alone for a month without usage, lines by the hour where asked, and nothing a spreadsheet would run', async () => {
  expect((await download('period=2026-07')).bytes).toBe(`${USAGE_CSV_COLUMNS.map(({ name }) => name).join(',')}\n`);
  await apply([{ origin_title: '=HYPERLINK("http://x")' }, { admitted_at: Date.UTC(2026, 7, 7, 13) }]);
  const { rows } = await download('period=2026-08-07&resolution=hour');
  expect(rows.map((row) => [row['period_start'], row['period_end']])).toEqual([
    ['2026-08-07T12:00:00Z', '2026-08-07T13:00:00Z'],
    ['2026-08-07T13:00:00Z', '2026-08-07T14:00:00Z'],
  ]);
  expect(rows[0]?.['origin_title']).toBe(`'=HYPERLINK("http://x")`);
});

it('refuses a period that has not begun, and lines that are no longer kept', async () => {
  await apply(many(10));
  expect((await suite.send('GET', `${PATH}?period=2026-10`)).json.error).toMatchObject({
    message: expect.stringContaining('2026-10-01T00:00:00Z'),
  });
  await suite.harness.database.pool.query('DELETE FROM usage_hour WHERE org_id = $1', [suite.ours.id]);
  expect(await suite.send('GET', `${PATH}?period=2026-08&resolution=hour`)).toMatchObject({ status: 409 });
  expect((await suite.send('GET', `${PATH}?period=2026-08`)).status).toBe(200);
  await suite.harness.database.pool.query('DELETE FROM usage_day WHERE org_id = $1', [suite.ours.id]);
  for (const query of ['period=2026-08', 'period=2026-08-07', 'period=2026-08-30']) {
    expect(await suite.send('GET', `${PATH}?${query}`)).toMatchObject({ status: 409 });
  }
  expect((await download('period=2026-08&resolution=month')).headers.get('x-weir-usage-requests')).toBe('10');
});

it('takes its time with a caller who does, holds a snapshot for it, and gives it back when the caller leaves', async () => {
  const { pool } = suite.harness.database;
  const zeros = Array.from({ length: 17 }, () => 0).join(', ');
  // What Postgres believes of these tables is of before: a plan for a row must not be what reads 20,000.
  await pool.query('ALTER TABLE usage_series SET (autovacuum_enabled = off); ANALYZE usage_series; ANALYZE usage_day');
  await pool.query(
    `WITH series AS (INSERT INTO usage_series (hash, org_id, api_key_id, model_requested, model_used, provider_used, is_byok, origin_title, endpoint, modality)
        SELECT sha256(($1 || n)::bytea), $1::uuid, $2::uuid, 'm', 'm', 'p', false, repeat('x', 3000), 'chat', 'chat' FROM generate_series(1, 20000) n RETURNING id)
      INSERT INTO usage_day SELECT $1::uuid, '2026-08-07T00:00Z', id, 1, 1, ${zeros} FROM series`,
    [suite.ours.id, suite.ours.apiKeyId],
  );
  await pool.query(
    "INSERT INTO usage_month SELECT org_id, '2026-08-01T00:00Z', series_id, 1, 1, " + zeros + ' FROM usage_day WHERE org_id = $1',
    [suite.ours.id],
  );
  const held = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: string }>(
      "SELECT count(*) AS count FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE 'FETCH%' AND datname = current_database()",
    );
    return Number(rows[0]?.count);
  };
  const waitUntilHeld = async (count: number): Promise<void> => {
    const deadline = Date.now() + 60_000;
    let found = await held();
    // Between two fetches it is busy for a moment: seen once is seen.
    while (found !== count && Date.now() < deadline) found = await held();
    expect(found).toBe(count);
  };
  const leaving = new AbortController();
  const reply = await fetch(`${suite.harness.url}${PATH}?period=2026-08`, {
    headers: { authorization: `Bearer ${suite.ours.apiKey}`, 'accept-encoding': 'identity' },
    signal: leaving.signal,
  });
  expect(reply.status).toBe(200);
  expect((await reply.body?.getReader().read())?.done).toBe(false);
  await waitUntilHeld(1);
  leaving.abort();
  await waitUntilHeld(0);
  const whole = await suite.send('GET', `${PATH}?period=2026-08`);
  expect(whole.text.split('\n')).toHaveLength(20_002);
}, 300_000);
