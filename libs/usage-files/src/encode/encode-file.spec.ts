import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { UsageFileFormat } from '@weir/contracts';
import { encodeFile } from './encode-file';

const COLUMNS = [
  { name: 'model' },
  { name: 'requests', kind: 'count' },
  { name: 'spend_usd', kind: 'money' },
  { name: 'at', kind: 'time' },
  { name: 'is_byok', kind: 'flag' },
] as const;
const SUMMED = { requests: 'requests', spend_usd: 'spend_usd' } as const;
const AT = '2026-10-07T00:00:00Z';
const ROWS = [
  ['=a,"b"\n', '2', '12345678901234567890.000000000001', AT, 'true'],
  ['-b', '3', '-0.5', AT, 'false'],
  ['', '0', '0', '', ''],
];

async function* pages(count = 1) {
  for (let page = 0; page < count; page += 1) yield await Promise.resolve(ROWS);
}

async function encode(format: UsageFileFormat, count = 1) {
  const encoded = encodeFile(pages(count), { format, columns: COLUMNS, summed: SUMMED });
  const chunks: Uint8Array[] = [];
  for await (const chunk of encoded.chunks) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), chunks: chunks.length, described: encoded.describe() };
}

describe('a file of usage', () => {
  it.each(['csv', 'parquet'] as const)(
    'as %s has equal bytes for equal rows, and says how many, their digest and exact sums',
    async (format) => {
      const [one, other] = [await encode(format, 3), await encode(format, 3)];
      expect(one.bytes.equals(other.bytes)).toBe(true);
      expect(one.described).toEqual({
        ...{ rows: 9, bytes: one.bytes.length, sha256: createHash('sha256').update(one.bytes).digest('hex') },
        sums: { requests: '15', spend_usd: '37037036703703703668.500000000003' },
      });
    },
  );

  it('as CSV keeps texts from being formulas, and numbers below zero as they are', async () => {
    const text = String(gunzipSync((await encode('csv')).bytes));
    expect(text).toBe(
      [
        'model,requests,spend_usd,at,is_byok\n',
        `"'=a,""b""\n",2,12345678901234567890.000000000001,${AT},true\n`,
        `'-b,3,-0.5,${AT},false\n`,
        ',0,0,,\n',
      ].join(''),
    );
  });

  it('as Parquet is written a group of rows at a time', async () => {
    const { bytes, chunks } = await encode('parquet', 2_000);
    expect([String(bytes.subarray(0, 4)), String(bytes.subarray(-4))]).toEqual(['PAR1', 'PAR1']);
    expect(chunks).toBeGreaterThanOrEqual(3);
  });

  it('breaks off when its rows do', async () => {
    for (const format of ['csv', 'parquet'] as const) {
      const broken = async function* () {
        yield await Promise.resolve(ROWS);
        throw new Error('the snapshot ended');
      };
      const { chunks } = encodeFile(broken(), { format, columns: COLUMNS, summed: SUMMED });
      await expect(
        (async () => {
          for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
        })(),
      ).rejects.toThrow('the snapshot ended');
    }
  });
});
