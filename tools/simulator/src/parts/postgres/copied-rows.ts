/** Columns as binary COPY brings them. */
export type CopiedRow = readonly Buffer[];

/** Signature, flags and the length of a further header, which there is none of. */
const HEADER_BYTES = 19;

/** Rows out of what binary COPY was given; none of their columns is null. */
export function readCopiedRows(copied: Buffer): CopiedRow[] {
  const rows: CopiedRow[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const columns = copied.readInt16BE(at);
    at += 2;
    if (columns < 0) return rows;
    rows.push(
      Array.from({ length: columns }, () => {
        const start = at + 4;
        at = start + copied.readInt32BE(at);
        return copied.subarray(start, at);
      }),
    );
  }
}

export function readUuid(column: Buffer | undefined): string {
  return (column?.toString('hex') ?? '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function readBigint(column: Buffer | undefined): bigint {
  return column?.readBigInt64BE() ?? 0n;
}
