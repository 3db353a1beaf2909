import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ExportedFile, UsageFileFormat } from '@weir/contracts';
import { encodeCsv, type SummedColumns, type UsageColumn } from '@weir/usage';
import { createTally } from './create-tally';
import { encodeParquet } from './encode-parquet';

type FileShape = {
  readonly format: UsageFileFormat;
  readonly columns: readonly Pick<UsageColumn, 'name' | 'kind'>[];
  readonly summed: SummedColumns;
};

/** Bytes of a file, made while its rows are read, and what is known of it once they are all read. */
export type EncodedFile = {
  readonly chunks: AsyncIterable<Uint8Array>;
  describe(): Pick<ExportedFile, 'rows' | 'bytes' | 'sha256' | 'sums'>;
};

export const FORMATS: Readonly<Record<UsageFileFormat, { readonly compression: ExportedFile['compression']; readonly type: string }>> = {
  parquet: { compression: 'snappy', type: 'application/vnd.apache.parquet' },
  // A file of its own, and not a way to send one: under a name that ends with .gz no one shall find it unpacked.
  csv: { compression: 'gzip', type: 'application/gzip' },
};

/** Equal rows make equal bytes. No more than a group of rows is in memory. */
export function encodeFile(pages: AsyncIterable<readonly string[][]>, { format, columns, summed }: FileShape): EncodedFile {
  const tally = createTally(columns, summed);
  const counted = tally.count(pages);
  const hash = createHash('sha256');
  let bytes = 0;
  const digest = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
  };
  return {
    chunks: digest(format === 'csv' ? compress(encodeCsv(counted, columns)) : encodeParquet(counted, columns)),
    describe: () => ({ ...tally.read(), bytes, sha256: hash.copy().digest('hex') }),
  };
}

/** What breaks off before breaks this off as well. */
function compress(texts: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  return pipeline(Readable.from(texts), createGzip(), () => undefined);
}
