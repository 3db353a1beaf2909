/**
 * The head of a record batch of version 2 ends where its packed records begin. The Kafka client gives a codec these alone,
 * but as a part of the answer it has fetched, so that the head can be read before them.
 */
const HEAD = { firstOffset: 0, length: 8, magic: 16, lastOffsetDelta: 23, count: 57, bytes: 61 } as const;
const MAGIC = 2;
/** The length of a batch counts from behind itself. */
const LENGTH_ENDS_AT = 12;
/** Less than what the client can hand on of one batch, and fifty times what a publisher of ours sends in one. */
const RECORDS_MAX = 50_000;

/** Behind its length: no attributes, no time after the first, then the offset's delta; no key, no value, no headers. */
const BEFORE_DELTA = [0, 0];
const AFTER_DELTA = [0x01, 0x01, 0];

type ReplacedRecords = { readonly plain: Buffer; readonly firstOffset: bigint; readonly records: number };

/**
 * Writes as many empty records as the batch around the packed bytes holds, with their offsets, as a codec would give them
 * back; undefined where no plausible batch is around them.
 */
export function replaceRecords(packed: Buffer): ReplacedRecords | undefined {
  const start = packed.byteOffset - HEAD.bytes;
  if (start < 0) return undefined;
  const head = Buffer.from(packed.buffer, start, HEAD.bytes);
  const records = head.readInt32BE(HEAD.count);
  const lastDelta = head.readInt32BE(HEAD.lastOffsetDelta);
  const isWhole = head.readInt32BE(HEAD.length) === HEAD.bytes - LENGTH_ENDS_AT + packed.length;
  if (!isWhole || head.readInt8(HEAD.magic) !== MAGIC || records < 1 || records > RECORDS_MAX || lastDelta < records - 1) return undefined;
  return { plain: writeRecords(records, lastDelta), firstOffset: head.readBigInt64BE(HEAD.firstOffset), records };
}

/** The last has the batch's last offset, whichever are missing before it: the client goes on behind it. */
function writeRecords(count: number, lastDelta: number): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const record = [...BEFORE_DELTA, ...encodeVarint(at === count - 1 ? lastDelta : at), ...AFTER_DELTA];
    bytes.push(...encodeVarint(record.length), ...record);
  }
  return Buffer.from(bytes);
}

/** Of a number that is not negative, as Kafka writes signed ones: doubled, seven bits a byte, the lowest first. */
function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
