import { randomUUID } from 'node:crypto';
import { createUsageStore } from '@weir/database';
import { parseUsd } from '@weir/pricing';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import type { UsageEvent } from '@weir/contracts';
import { USAGE_CSV_COLUMNS } from '@weir/usage';
import { read, utils, type WorkSheet } from '@e965/xlsx';
import { useManagement } from '../__fixtures__/use-management';

const suite = useManagement();
const NOW = Date.UTC(2026, 8, 3, 12);
const PATH = '/v1/manage/org/usage/export';
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

beforeEach(() => {
  suite.harness.now = () => NOW;
});

async function apply(events: readonly Partial<UsageEvent>[]): Promise<void> {
  const built = events.map((event) => makeUsageEvent({ org_id: suite.ours.id, api_key_id: suite.ours.apiKeyId, ...event }));
  const store = createUsageStore({ pool: suite.harness.database.pool, now: () => NOW });
  expect(await store.applyBatch(sequenceEvents(randomUUID(), built), null)).toMatchObject({ applied: events.length });
}

type Download = { readonly bytes: Buffer; readonly headers: Headers };

async function download(query: string, accept = '*/*'): Promise<Download> {
  const reply = await fetch(`${suite.harness.url}${PATH}?${query}`, { headers: { authorization: `Bearer ${suite.ours.apiKey}`, accept } });
  expect(reply.status).toBe(200);
  return { bytes: Buffer.from(await reply.arrayBuffer()), headers: reply.headers };
}

/** As another library than the one that writes them reads workbooks; every cell as it is typed. */
function readSheets(bytes: Buffer): Record<string, WorkSheet> {
  return read(bytes, { cellFormula: true, cellNF: true }).Sheets;
}

type Row = Record<string, unknown>;

function listRows(sheet: WorkSheet | undefined): Row[] {
  return utils.sheet_to_json<Row>(sheet ?? {}, { raw: true, defval: null });
}

/** With the names in the first line, quoted cells and all. */
function parseCsv(bytes: Buffer): Row[] {
  return listRows(Object.values(read(bytes, { type: 'buffer', raw: true }).Sheets)[0]);
}

const AUGUST = Date.UTC(2026, 7, 7, 12);

it('gives the month that runs to date, marked as not final everywhere, and as closed once it is over', async () => {
  await apply([{ admitted_at: Date.UTC(2026, 8, 2), cost_p: '3000000000000', billed_p: '3000000000000' }, { admitted_at: AUGUST }]);
  for (const [format, name] of [
    ['csv', 'usage-csv-2026-09-not-final-r1.csv'],
    ['focus', 'usage-focus-2026-09-not-final-r1.csv'],
    ['xlsx', 'usage-xlsx-2026-09-not-final-r1.xlsx'],
  ] as const) {
    const { bytes, headers } = await download(`period=2026-09&format=${format}`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect([headers.get('x-weir-final'), headers.get('x-weir-usage-spend')]).toEqual(['false', '3']);
    expect(headers.get('x-weir-usage-restatable-until')).toBe('2026-11-05T00:00:00.000Z');
    const [row] = format === 'xlsx' ? listRows(readSheets(bytes)['2026-09 not final']) : parseCsv(bytes);
    expect(row?.[format === 'focus' ? 'x_PeriodStatus' : 'status']).toBe('open');
  }
  expect((await download('period=2026-09-03')).headers.get('x-weir-final')).toBe('false');

  suite.harness.now = () => Date.UTC(2026, 9, 1);
  const { bytes, headers } = await download('period=2026-09');
  expect(headers.get('content-disposition')).toBe('attachment; filename="usage-csv-2026-09-r1.csv"');
  expect([headers.get('x-weir-final'), parseCsv(bytes)[0]?.['status']]).toEqual(['true', 'closed']);
});

it('names keys, members and groups as they are called today beside their ids, or not at all', async () => {
  const { prisma } = suite.harness.database;
  const group = await suite.make.group();
  const key = await prisma.apiKey.findUniqueOrThrow({ where: { id: suite.ours.apiKeyId }, include: { creator: true } });
  await suite.send('PATCH', `/v1/manage/group/${group}`, { name: '=Research' });
  await apply([{ admitted_at: AUGUST, group_id: group, user_id: key.createdBy }]);
  const ids = { api_key_id: key.id, member_id: key.createdBy, group_id: group };
  const email = key.creator?.email;

  const [named] = parseCsv((await download('period=2026-08')).bytes);
  expect(named).toMatchObject({ ...ids, api_key_name: key.name, member_email: email, group_name: "'=Research" });
  const [inSheet] = listRows(readSheets((await download('period=2026-08&format=xlsx')).bytes)['2026-08']);
  expect(inSheet).toMatchObject({ ...ids, api_key_name: key.name, member_email: email, group_name: '=Research' });
  await suite.send('PATCH', `/v1/manage/group/${group}`, { name: 'Sales' });
  expect(parseCsv((await download('period=2026-08')).bytes)[0]?.['group_name']).toBe('Sales');
  const [unnamed] = parseCsv((await download('period=2026-08&names=false')).bytes);
  expect(unnamed).toMatchObject(ids);
  expect(Object.keys(unnamed ?? {}).filter((name) => /_name$|email/.test(name))).toEqual([]);
});

describe('a workbook', () => {
  it('says what the CSV file says: numbers to calculate with, exact money as text, times in UTC, and no formula', async () => {
    await apply([
      {
        admitted_at: AUGUST,
        cost_p: '12345678901234567890',
        billed_p: '12345678901234567890',
        origin_title: '=HYPERLINK("http://x")',
        end_user_id: '+1',
      },
      { admitted_at: AUGUST + 3_600_000, cost_p: '1', billed_p: '0', is_byok: true, origin_title: '@SUM(A1)', end_user_id: '-<&>"\u0001' },
      { admitted_at: AUGUST + 86_400_000, extra: { team: 'rød' }, end_user_id: null },
    ]);
    const [csv, workbook] = [
      await download('period=2026-08&resolution=hour'),
      await download('period=2026-08&resolution=hour&format=xlsx'),
    ];
    expect(workbook.headers.get('content-type')).toBe(XLSX_TYPE);
    const sheet = readSheets(workbook.bytes)['2026-08'];
    const cells = Object.entries(sheet ?? {}).flatMap(([at, cell]: [string, { f?: string; t?: string; z?: string }]) =>
      at.startsWith('!') ? [] : [cell],
    );
    expect(cells.filter(({ f }) => f !== undefined)).toEqual([]);
    const [rows, lines] = [listRows(sheet), parseCsv(csv.bytes)];
    expect(rows).toHaveLength(3);
    expect(rows.map((row) => row['origin_title'])).toEqual(['=HYPERLINK("http://x")', '@SUM(A1)', null]);
    expect(rows.map((row) => row['spend_usd_exact'])).toEqual(['12345678.90123456789', '0.000000000001', lines[2]?.['spend_usd']]);
    expect(rows.map((row) => row['billed_usd'])).toEqual(
      [12345678.9012346, 0, Number(lines[2]?.['billed_usd'])].map((usd) => expect.closeTo(usd, 6)),
    );
    for (const [at, row] of rows.entries()) {
      for (const { name, kind } of USAGE_CSV_COLUMNS) {
        const text = lines[at]?.[name] ?? '';
        if (kind === 'count') expect(row[name]).toBe(Number(text));
        if (kind === 'money') expect([typeof row[name], row[`${name}_exact`]]).toEqual(['number', text]);
        if (kind === 'time') expect(Math.abs(Number(row[name]) - Date.parse(String(text)))).toBeLessThanOrEqual(1);
      }
    }
    const exact = rows.reduce((sum, row) => sum + parseUsd(String(row['spend_usd_exact'])), 0n);
    expect(exact).toBe(parseUsd(workbook.headers.get('x-weir-usage-spend') ?? ''));
  });

  it('is sent to a caller that prefers it, and a CSV file to every other', async () => {
    await apply([{ admitted_at: AUGUST }]);
    const typeFor = async (accept: string, query = ''): Promise<string | null> =>
      (await download(`period=2026-08${query}`, accept)).headers.get('content-type');
    expect(await typeFor(XLSX_TYPE)).toBe(XLSX_TYPE);
    expect(await typeFor(`text/csv;q=0.5, ${XLSX_TYPE}`)).toBe(XLSX_TYPE);
    for (const accept of ['*/*', 'text/csv', 'application/json', `${XLSX_TYPE};q=0.1, */*`])
      expect(await typeFor(accept)).toMatch(/^text\/csv/);
    expect(await typeFor(XLSX_TYPE, '&format=csv')).toMatch(/^text\/csv/);
  });
});

it('filters as usage does, and says so in its name', async () => {
  await apply([
    { admitted_at: AUGUST, model_used: 'a', extra: { team: 'red' }, cost_p: '5000000000000' },
    { admitted_at: AUGUST, model_used: 'b', extra: { team: 'red' }, cost_p: '20000000000000' },
    { admitted_at: AUGUST, model_used: 'a', cost_p: '100000000000000' },
  ]);
  const spendOf = async (filter: string): Promise<string | null> => {
    const { headers, bytes } = await download(`period=2026-08&${filter}`);
    expect(headers.get('content-disposition')).toContain('usage-csv-2026-08-filtered-r');
    expect(parseCsv(bytes)).toHaveLength(Number(headers.get('x-weir-usage-lines')));
    const asked = `/v1/manage/org/usage?start=2026-08-01T00:00:00Z&end=2026-09-01T00:00:00Z&resolution=month&${filter}`;
    const { json } = await suite.send('GET', asked);
    expect((json['usage'] as Record<string, { spend: string }>)['2026-08-01T00:00:00Z']?.spend).toBe(headers.get('x-weir-usage-spend'));
    return headers.get('x-weir-usage-spend');
  };
  expect(await spendOf('filter[extra.team]=red')).toBe('25');
  expect(await spendOf('filter[extra.team]=red&filter[model_used]=a')).toBe('5');
  expect(await spendOf('filter[model_used]=a&filter[model_used]=b&filter[extra.team]=Unknown')).toBe('100');
  expect(await spendOf(`filter[api_key_id]=${suite.ours.apiKeyId}&filter[group_name]=Unknown`)).toBe('125');
  expect(await suite.send('GET', `${PATH}?period=2026-08&filter[colour]=red`)).toMatchObject({ status: 400 });
});

it('returns exactly a part of an hour for the organization, a key and the calling key, with the range in a header', async () => {
  await apply([0, 15, 30, 45].map((minute) => ({ admitted_at: AUGUST + minute * 60_000, extra: { team: minute < 20 ? 'red' : 'blue' } })));
  const range = 'start=2026-08-07T12:15:00Z&end=2026-08-07T12:45:00Z';
  for (const path of ['/v1/manage/org/usage', `/v1/manage/apikey/${suite.ours.apiKeyId}/usage`, '/v1/manage/apikey/self/usage']) {
    const askRequests = async (query: string, body?: object): Promise<unknown> => {
      const { json, headers } = await suite.send('GET', `${path}?${query}`, body);
      expect(headers.get('x-weir-usage-range')).toBe('2026-08-07T12:15:00Z/2026-08-07T12:45:00Z');
      return Object.values(json['usage'] as Record<string, { total_requests: number }>).map((entry) => entry.total_requests);
    };
    expect(await askRequests(range)).toEqual([2]);
    expect(await askRequests(`${range}&filter[extra.team]=red&group_by=extra.team`)).toEqual([1]);
    expect(await suite.send('GET', `${path}?${range}&filter[colour]=red`)).toMatchObject({ status: 400 });
  }
});
