import { read, utils } from '@e965/xlsx';
import type { UsageExport } from '@weir/database';
import { USAGE_CSV_COLUMNS, type UsageColumn, type UsageLine } from '@weir/usage';
import { readXlsx } from 'hucre/xlsx';
import { encodeXlsx } from './encode-xlsx';

const PER_PAGE = 1_000;

/** So many pages of lines that differ in their requests only. */
function openPages(count: number): UsageExport & { pulled: number } {
  const opened = {
    file: {} as UsageExport['file'],
    totals: {} as UsageExport['totals'],
    pulled: 0,
    async *pages() {
      for (let page = 0; page < count; page += 1) {
        opened.pulled += 1;
        yield Array.from({ length: PER_PAGE }, (_, at) => ({ requests: String(page * PER_PAGE + at), costPico: 1n }) as UsageLine);
      }
    },
    close: () => Promise.resolve(),
  };
  return opened;
}

const COLUMNS: readonly UsageColumn[] = USAGE_CSV_COLUMNS.filter(({ name }) => ['requests', 'spend_usd'].includes(name));

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

it('continues in another sheet, with the names in its first line, what does not fit into one', async () => {
  const bytes = await collect(encodeXlsx(openPages(3), { name: '2026-08 not final', columns: COLUMNS, rowsPerSheet: 1_001 }));
  const { SheetNames, Sheets } = read(bytes);
  expect(SheetNames).toEqual(['2026-08 not final', '2026-08 not final_2', '2026-08 not final_3']);
  const rows = SheetNames.flatMap((name) => utils.sheet_to_json<Record<string, unknown>>(Sheets[name] ?? {}));
  expect(rows.map((row) => row['requests'])).toEqual(Array.from({ length: 3_000 }, (_, at) => at));
  expect(rows[0]).toEqual({ requests: 0, spend_usd: 1e-12, spend_usd_exact: '0.000000000001' });
});

it('reads lines as fast as the file is taken, and no further', async () => {
  const opened = openPages(500);
  const chunks = encodeXlsx(opened, { name: '2026-08', columns: COLUMNS })[Symbol.asyncIterator]();
  for (let taken = 0; taken < 3; taken += 1) await chunks.next();
  expect(opened.pulled).toBeLessThan(100);
  await chunks.return?.();
  expect(opened.pulled).toBeLessThan(100);
});

it('fails when reading lines does: a file that ends early is not taken for a whole one', async () => {
  const opened = {
    ...openPages(0),
    pages: async function* () {
      yield* openPages(2).pages();
      throw new Error('the snapshot ended');
    },
  };
  await expect(collect(encodeXlsx(opened, { name: '2026-08', columns: COLUMNS }))).rejects.toThrow('the snapshot ended');
});

it('keeps every text as it is, and the file readable', async () => {
  const texts = ['_x000D_ and _x0041_', 'a_x000d_', 'plain_x', 'a\u0001b', '\ufffe\uffff', 'lone \ud800'];
  const opened = {
    ...openPages(0),
    async *pages() {
      yield await Promise.resolve(texts.map((text) => ({ requests: text }) as UsageLine));
    },
  };
  const columns: readonly UsageColumn[] = [{ name: 'text', value: ({ requests }) => requests }];
  const bytes = await collect(encodeXlsx(opened, { name: 'texts', columns }));

  const rows = (await readXlsx(bytes)).sheets[0]?.rows.slice(1);
  expect(rows).toEqual(['_x000D_ and _x0041_', 'a_x000d_', 'plain_x', 'a\u0001b', '\ufffd\ufffd', 'lone \ufffd'].map((text) => [text]));
});
