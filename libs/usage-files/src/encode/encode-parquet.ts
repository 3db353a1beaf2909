import { parseUsd } from '@weir/pricing';
import type { ColumnKind, UsageColumn } from '@weir/usage';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];
type Column = Pick<UsageColumn, 'name' | 'kind'>;
type Value = string | bigint | boolean | null;

/** How a kind of column is kept, and made of its text. */
type Shape = { readonly element: Omit<SchemaElement, 'name' | 'repetition_type'>; readonly decode: (text: string) => Value };

const MICROS_PER_MS = 1_000n;

const TEXT: Shape = { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, decode: (text) => text };
const SHAPES: Readonly<Record<ColumnKind, Shape>> = {
  count: { element: { type: 'INT64' }, decode: BigInt },
  flag: { element: { type: 'BOOLEAN' }, decode: (text) => text === 'true' },
  time: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    decode: (text) => BigInt(Date.parse(text)) * MICROS_PER_MS,
  },
  // Pico-dollars are what a decimal of twelve places is made of; no number is rounded on the way.
  money: {
    element: {
      ...{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL', precision: 38, scale: 12 },
      logical_type: { type: 'DECIMAL', precision: 38, scale: 12 },
    },
    decode: parseUsd,
  },
};

/** Held in memory, and encoded without a break: some tens of milliseconds. */
const ROWS_PER_GROUP = 2_000;

/** A Parquet file, written while its rows are read. Empty text is null. */
export async function* encodeParquet(pages: AsyncIterable<readonly string[][]>, columns: readonly Column[]): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: describeSchema(columns), createdBy: 'weir' });
  let waiting: string[][] = [];
  for await (const rows of pages) {
    waiting.push(...rows);
    if (waiting.length < ROWS_PER_GROUP) continue;
    await writeGroup(parquet, columns, waiting);
    waiting = [];
    yield takeBytes(writer);
  }
  if (waiting.length > 0) await writeGroup(parquet, columns, waiting);
  await parquet.finish();
  yield takeBytes(writer);
}

function shapeOf({ kind }: Column): Shape {
  return kind === undefined ? TEXT : SHAPES[kind];
}

function describeSchema(columns: readonly Column[]): SchemaElement[] {
  const elements = columns.map((column): SchemaElement => ({
    name: column.name,
    repetition_type: 'OPTIONAL',
    ...shapeOf(column).element,
  }));
  return [{ name: 'usage', num_children: elements.length }, ...elements];
}

async function writeGroup(parquet: ParquetWriter, columns: readonly Column[], rows: readonly string[][]): Promise<void> {
  const columnData = columns.map((column, at) => {
    const { decode } = shapeOf(column);
    return { name: column.name, data: rows.map((row) => decodeCell(row[at], decode)) };
  });
  await parquet.write({ columnData, rowGroupSize: rows.length });
}

function decodeCell(text: string | undefined, decode: Shape['decode']): Value {
  return text === undefined || text === '' ? null : decode(text);
}

/** What was written since it was asked last; the writer goes on counting from where it was. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
