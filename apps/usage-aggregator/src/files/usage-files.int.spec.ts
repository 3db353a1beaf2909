import type { UsageEvent } from '@weir/contracts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openUsageExport, rerateUsage } from '@weir/database';
import { parseUsd } from '@weir/pricing';
import { describeWithRealParts, NO_UNITS } from '@weir/testing';
import { DAY_MS, encodeCsv, HOUR_MS, renderRows, USAGE_CSV_COLUMNS } from '@weir/usage';
import { DAY, NOW, startExportBench, type ExportBench, type ReadManifest } from './__fixtures__/export-bench';

/** What no number with a point would keep. */
const LARGE = '123456789012345678901';

describeWithRealParts(['s3'], 'usage as files', () => {
  let bench: ExportBench;
  let organizationId: string;
  beforeAll(async () => {
    bench = await startExportBench();
  }, 240_000);
  afterAll(() => bench.stop());
  beforeEach(async () => {
    organizationId = await bench.createOrganization();
  });

  const run = (given: Parameters<ExportBench['run']>[0] = {}) => bench.run({ organizations: [organizationId], ...given });
  const settleAndRun = async (): Promise<ReadManifest[]> => {
    await bench.settle();
    await run();
    return bench.readManifests(organizationId);
  };

  const EVENTS: readonly Partial<UsageEvent>[] = [
    { cost_p: LARGE, billed_p: LARGE, units: { ...NO_UNITS, in: 100, cached_in: 11, cache_w5m: 7, out: 20, reasoning: 3, searches: 1 } },
    {
      cost_p: '1',
      billed_p: '0',
      is_byok: true,
      model_used: 'other/model',
      origin_title: '=HYPERLINK("http://x"),\n"y"',
      end_user_id: 'rød',
    },
    { cost_p: '27000001', billed_p: '27000001', extra: { team: 'a', cost: '7' }, status: 'upstream_error', logical: false, attempt_no: 2 },
    ...Array.from({ length: 2_600 }, (_, at) => ({
      cost_p: String(1_000_003 + at),
      billed_p: String(1_000_003 + at),
      model_used: `vendor/m${at % 7}`,
    })),
    { modality: 'image' as const, endpoint: 'image-generations', units: { ...NO_UNITS, images: 4, chars: 9, ms_audio: 5 } },
  ];

  /** Adds a column up as text: DuckDB’s own sum of 38 digits would not fit into 38 digits. */
  const sumOf = (rows: readonly Record<string, unknown>[], column: string, parse: (text: string) => bigint): bigint =>
    rows.reduce((sum, row) => sum + parse(String(row[column] ?? '0')), 0n);

  it('is in the bucket once the day is settled: every file adds up, read by DuckDB, to the last digit of the interface', async () => {
    await bench.use(organizationId, EVENTS);
    const [first, ...more] = await settleAndRun();
    expect(more).toEqual([]);
    const { manifest } = first as ReadManifest;
    expect(manifest).toMatchObject({
      v: 1,
      organization_id: organizationId,
      day: '2026-08-09',
      revision: 1,
      supersedes: null,
      left_out: [],
    });
    expect(manifest.files.map(({ dataset, format }) => `${dataset} ${format}`).sort()).toHaveLength(12);
    const asked = await bench.readSpend(organizationId);
    expect([manifest.totals.spend_usd, manifest.totals.requests, manifest.totals.output_tokens]).toEqual([
      asked.spend,
      String(asked.total_requests),
      String(asked.output_tokens),
    ]);
    for (const file of manifest.files) {
      expect([file.key, await bench.bucket.digest(file.key)]).toEqual([file.key, file.sha256]);
      const path = await bench.bucket.fetch(file.key);
      const source = file.format === 'parquet' ? `read_parquet('${path}')` : `read_csv('${path}', all_varchar = true)`;
      const [counted] = await bench.query(`SELECT count(*) AS n FROM ${source}`);
      expect([file.key, counted?.['n']]).toEqual([file.key, String(file.rows)]);
      for (const [column, sum] of Object.entries(file.sums)) {
        const cast = `sum(CAST(${column} AS ${sum.includes('.') || /usd|Cost/.test(column) ? 'DECIMAL(38, 12)' : 'HUGEINT'}))::VARCHAR`;
        const [row] = await bench.query(`SELECT ${cast} AS total FROM ${source}`);
        expect([file.key, column, parseUsd(String(row?.['total']))]).toEqual([file.key, column, parseUsd(sum)]);
      }
    }
    const spend = manifest.files.map(({ sums }) => sums['spend_usd'] ?? sums['ListCost']);
    expect(new Set(spend)).toEqual(new Set([asked.spend]));
  }, 120_000);

  it('has types that warehouses add up exactly, and text as it was written', async () => {
    await bench.use(organizationId, EVENTS.slice(0, 3));
    const [first] = await settleAndRun();
    const find = async (dataset: string, format: string): Promise<string> =>
      bench.bucket.fetch(first?.manifest.files.find((file) => file.dataset === dataset && file.format === format)?.key ?? '');
    const described = await bench.query(`DESCRIBE SELECT * FROM read_parquet('${await find('days', 'parquet')}')`);
    const typeOf = Object.fromEntries(described.map((row) => [row['column_name'], row['column_type']]));
    expect(typeOf).toMatchObject({
      ...{ period_start: 'TIMESTAMP WITH TIME ZONE', spend_usd: 'DECIMAL(38,12)', billed_usd: 'DECIMAL(38,12)', requests: 'BIGINT' },
      ...{ is_byok: 'BOOLEAN', model_used: 'VARCHAR', revision: 'BIGINT' },
    });
    const rows = await bench.query(
      `SELECT origin_title, user_id, extra, spend_usd::VARCHAR AS spend, epoch_ms(admitted_at) AS at FROM read_parquet('${await find('events', 'parquet')}') ORDER BY admitted_at`,
    );
    expect(rows.map((row) => row['origin_title'])).toEqual([null, '=HYPERLINK("http://x"),\n"y"', null]);
    expect(rows.map((row) => row['spend'])).toEqual(['123456789.012345678901', '0.000000000001', '0.000027000001']);
    expect(rows.map((row) => Number(row['at']))).toEqual([DAY, DAY + HOUR_MS + 1, DAY + 2 * HOUR_MS + 2]);
    expect([rows[1]?.['user_id'], rows[2]?.['extra']]).toEqual(['rød', '{"cost":"7","team":"a"}']);
    const focus = await bench.query(
      `SELECT ChargeCategory, BilledCost::VARCHAR AS cost FROM read_parquet('${await find('focus', 'parquet')}')`,
    );
    expect(sumOf(focus, 'cost', parseUsd)).toBe(parseUsd(first?.manifest.totals.billed_usd ?? ''));
  }, 60_000);

  it('has the lines of the finance file, and sums of fewer dimensions', async () => {
    const group = '33333333-3333-4333-8333-333333333333';
    await bench.use(organizationId, [
      ...EVENTS.slice(0, 40),
      { group_id: group, cost_p: '5' },
      { group_id: group, cost_p: '6', model_used: 'x' },
    ]);
    const [first] = await settleAndRun();
    const read = async (dataset: string): Promise<string> => {
      const key = first?.manifest.files.find((file) => file.dataset === dataset && file.format === 'csv')?.key ?? '';
      return String(gunzipSync(await bench.bucket.read(key)));
    };
    const query = {
      organizationId,
      startMs: DAY,
      endMs: DAY + DAY_MS,
      resolution: 'day',
      isDay: true,
      isClosed: true,
      filters: [],
    } as const;
    const opened = await openUsageExport(bench.database, query);
    const columns = USAGE_CSV_COLUMNS.filter(({ isName }) => isName !== true);
    const file = { ...opened.file, revision: '1', asOfMs: Date.parse(first?.manifest.as_of ?? '') };
    let download = '';
    for await (const text of encodeCsv(renderRows(opened.pages(), columns, file), columns)) download += text;
    expect(await read('days')).toBe(download);
    const path = async (dataset: string): Promise<string> =>
      bench.bucket.fetch(first?.manifest.files.find((each) => each.dataset === dataset && each.format === 'parquet')?.key ?? '');
    const models = await bench.query(
      `SELECT model_used, sum(requests)::INT AS n FROM read_parquet('${await path('models')}') GROUP BY 1 ORDER BY 1`,
    );
    const days = await bench.query(
      `SELECT model_used, sum(requests)::INT AS n FROM read_parquet('${await path('days')}') GROUP BY 1 ORDER BY 1`,
    );
    expect(models).toEqual(days);
    const keys = await bench.query(
      `SELECT group_id, is_byok, spend_usd::VARCHAR AS spend FROM read_parquet('${await path('keys')}') ORDER BY 1, 2`,
    );
    expect(keys.map((row) => [row['group_id'], row['is_byok']])).toEqual([
      [group, false],
      [null, false],
      [null, true],
    ]);
    expect(keys[0]?.['spend']).toBe('0.000000000011');
  }, 60_000);

  it('is read by the lines that the page for finance gives, later revisions in the place of earlier ones', async () => {
    await bench.use(organizationId, [
      { cost_p: LARGE, billed_p: LARGE },
      { cost_p: '3', billed_p: '3', model_used: 'b' },
    ]);
    await settleAndRun();
    await bench.use(organizationId, [{ cost_p: '4', billed_p: '4', model_used: 'b' }]);
    expect(await settleAndRun()).toHaveLength(2);
    for (const key of await bench.bucket.list(organizationId)) await bench.bucket.fetch(key);
    const page = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'finance.md'), 'utf8');
    const [, lines = ''] = /In \*\*DuckDB\*\*[^]*?```sql\n([^]*?)```/.exec(page) ?? [];
    const here = lines
      .replace('s3://bucket/weir-usage/v1/manifests/*/', `${bench.bucket.folder}/lake/weir/v1/manifests/organization=${organizationId}/`)
      .replaceAll('s3://bucket/', `${bench.bucket.folder}/`);
    const [rows = [], sums = []] = (await bench.queryAll(here)).slice(-2);
    expect(rows.map((row) => [row['organization_id'], row['model_used'], parseUsd(String(row['billed']))])).toEqual([
      [organizationId, 'vendor/model', BigInt(LARGE)],
      [organizationId, 'b', 7n],
    ]);
    expect(sums.map((row) => parseUsd(String(row['billed'])))).toEqual([BigInt(LARGE) + 7n]);
  }, 60_000);

  it('is exported once; as another revision when usage came late; and not again when nothing is different', async () => {
    await bench.use(organizationId, EVENTS.slice(0, 10));
    const [first] = await settleAndRun();
    const written = bench.noted.written;
    await run();
    await bench.database.pool.query('UPDATE usage_hour SET requests = requests WHERE org_id = $1', [organizationId]); // changed, and yet the same
    expect(await settleAndRun()).toEqual([first]);
    expect(bench.noted.written).toBe(written);

    await bench.use(organizationId, [{ cost_p: '999', model_used: 'late' }]);
    await run(); // not settled yet: what is there is not known to be whole
    expect(await bench.readManifests(organizationId)).toHaveLength(1);
    const [before, after] = await settleAndRun();
    expect(before).toEqual(first);
    expect(after?.manifest).toMatchObject({
      revision: 2,
      supersedes: { revision: 1, manifest: first?.key, sha256: first?.sha256 },
      totals: { spend_usd: (await bench.readSpend(organizationId)).spend },
    });
    expect(after?.manifest.files.every(({ key }) => key.includes('/rev=2/'))).toBe(true);
    expect(
      await bench.rows('SELECT revision, state, failures FROM usage_file_export WHERE org_id = $1 ORDER BY 1', [organizationId]),
    ).toEqual([
      { revision: 1, state: 'published', failures: 0 },
      { revision: 2, state: 'published', failures: 0 },
    ]);
  }, 60_000);

  it('has corrections of a price that was wrong, with amounts below zero, in the next revision', async () => {
    await bench.use(organizationId, [
      { cost_p: '100', billed_p: '100', price_version: 'wrong' },
      { cost_p: '7', billed_p: '7' },
    ]);
    await settleAndRun();
    const criteria = {
      modelUsed: 'vendor/model',
      providerUsed: null,
      fromMs: DAY,
      toMs: NOW,
      priceVersion: 'wrong',
      toPriceVersion: 'right',
    };
    await rerateUsage(
      { pool: bench.database.pool, now: () => NOW, noteDone: () => Promise.resolve() },
      {
        criteria: { ...criteria, organizationId },
        ...{ because: 'a misprint', actor: 'ann', allowsDebt: false, isBalanceRequired: false, isDryRun: false },
        price: () => ({ costPico: 40n }),
      },
    );
    const [, after] = await settleAndRun();
    expect(after?.manifest.totals).toMatchObject({
      spend_usd: '0.000000000047',
      billed_usd: '0.000000000047',
      requests: '2',
      attempts: '2',
    });
    for (const format of ['parquet', 'csv']) {
      const key = after?.manifest.files.find((file) => file.dataset === 'events' && file.format === format)?.key ?? '';
      const path = await bench.bucket.fetch(key);
      const source = format === 'parquet' ? `read_parquet('${path}')` : `read_csv('${path}', all_varchar = true)`;
      const rows = await bench.query(
        `SELECT CAST(spend_usd AS DECIMAL(38, 12))::VARCHAR AS spend, attempts::INT AS attempts, corrects IS NOT NULL AS corrects FROM ${source} ORDER BY 1`,
      );
      expect(rows).toEqual([
        { spend: '-0.000000000060', attempts: 0, corrects: true },
        { spend: '0.000000000007', attempts: 1, corrects: false },
        { spend: '0.000000000100', attempts: 1, corrects: false },
      ]);
    }
  }, 60_000);

  it('is not published while events and hours differ, and says by how much; it is when they agree again', async () => {
    await bench.use(organizationId, EVENTS.slice(1, 10));
    const { pool } = bench.database;
    const [taken] = await bench.rows(
      'DELETE FROM usage_event WHERE org_id = $1 AND event_id IN (SELECT min(event_id) FROM usage_event WHERE org_id = $1) RETURNING *',
      [organizationId],
    );
    const failed = bench.noted.failed;
    expect(await settleAndRun()).toEqual([]);
    expect(bench.noted.failed).toBe(failed + 1);
    const [row] = await bench.rows('SELECT state, failures, failure FROM usage_file_export WHERE org_id = $1', [organizationId]);
    expect(row).toMatchObject({
      state: 'writing',
      failures: 1,
      failure: expect.stringMatching(/^events: \w+ adds up to .*, the hours of the day to /),
    });
    await pool.query(
      `INSERT INTO usage_event (writer_id, seq, event_id, org_id, request_id, admitted_at, time_clamped, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      ['writer_id', 'seq', 'event_id', 'org_id', 'request_id', 'admitted_at', 'time_clamped', 'payload'].map((name) => taken?.[name]),
    );
    await run();
    expect(await bench.readManifests(organizationId)).toEqual([]); // left alone for a minute
    await bench.endLeases();
    await run();
    expect((await bench.readManifests(organizationId)).map(({ manifest }) => manifest.revision)).toEqual([1]);
    const [mended] = await bench.rows('SELECT failures, failure FROM usage_file_export WHERE org_id = $1', [organizationId]);
    expect(mended).toEqual({ failures: 0, failure: null });
  }, 60_000);

  it('leaves out events that are no longer kept, and says so; leaves alone days that are too old, or run', async () => {
    await bench.use(organizationId, [{}, { admitted_at: DAY - DAY_MS }, { admitted_at: NOW }]);
    await bench.settle();
    await run({ days: 1, eventDays: 1 });
    const manifests = await bench.readManifests(organizationId);
    expect(manifests.map(({ manifest }) => manifest.day)).toEqual(['2026-08-09']);
    await run({ eventDays: 1 });
    const [old] = (await bench.readManifests(organizationId)).filter(({ manifest }) => manifest.day === '2026-08-08');
    expect(old?.manifest.left_out).toEqual([{ dataset: 'events', reason: expect.any(String) }]);
    expect(new Set(old?.manifest.files.map(({ dataset }) => dataset))).toEqual(new Set(['hours', 'days', 'keys', 'models', 'focus']));
    expect(await bench.readManifests(organizationId)).toHaveLength(2);
  }, 60_000);

  it('makes the same bytes of the same day, whatever it has been before', async () => {
    await bench.use(organizationId, EVENTS.slice(0, 30));
    await bench.settle();
    await run();
    const sums = async (): Promise<string[]> =>
      (await bench.readManifests(organizationId)).flatMap(({ manifest }) => manifest.files.map(({ sha256 }) => sha256));
    const before = await sums();
    await bench.database.pool.query(
      "UPDATE usage_file_export SET state = 'writing', files = '[]', manifest = NULL, manifest_key = NULL, manifest_sha256 = NULL WHERE org_id = $1",
      [organizationId],
    );
    await run();
    expect(await sums()).toEqual(before);
    expect(before).toHaveLength(12);
  }, 60_000);

  it('reports what waits, and for how long', async () => {
    await bench.use(organizationId, [{}]);
    await run();
    expect(bench.noted.waiting.at(-1)).toEqual([1, 3_600]); // over for two hours, of which the first is its own
    await settleAndRun();
    expect(bench.noted.waiting.at(-1)).toEqual([0, 0]);
  }, 60_000);
});
