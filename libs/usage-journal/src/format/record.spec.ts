import {
  readEpoch,
  readGap,
  readPart,
  readProgress,
  readRecord,
  readText,
  RECORD,
  RECORD_BYTES_MAX,
  RecordWriter,
  type RecordView,
} from './record';

function read(writer: RecordWriter, length: number): RecordView {
  const record = readRecord(writer.buffer, 0, length);
  if (typeof record !== 'object') throw new Error(`read as ${record}`);
  expect(record.end).toBe(length);
  return record;
}

describe('a journal record', () => {
  const writer = new RecordWriter();

  it('reads back an event with its id, text and sequence', () => {
    const record = read(writer, writer.writeEnd(2 ** 40 + 3, 'réq:1', '{"é":"🙂"}'));
    expect(record).toMatchObject({ type: RECORD.end, sequence: 2 ** 40 + 3 });
    expect(readText(writer.buffer, record)).toEqual({ eventId: 'réq:1', text: '{"é":"🙂"}' });
  });

  it('reads back a short end with the part that it leaves out', () => {
    const record = read(writer, writer.writeShortEnd(2 ** 40 + 3, 'réq:1', { at: 9, length: 70_000 }, ',"é":"🙂"}'));
    expect(record).toMatchObject({ type: RECORD.shortEnd, sequence: 2 ** 40 + 3 });
    expect(readText(writer.buffer, record)).toEqual({ eventId: 'réq:1', text: ',"é":"🙂"}' });
    expect(readPart(writer.buffer, record)).toEqual({ at: 9, length: 70_000 });
  });

  it('reads back progress beyond 32 bits, epochs and gaps', () => {
    expect(readProgress(writer.buffer, read(writer, writer.writeProgress('r:1', 2 ** 40)))).toEqual({
      eventId: 'r:1',
      outputTokens: 2 ** 40,
    });
    expect(readEpoch(writer.buffer, read(writer, writer.writeEpoch(7)))).toBe(7);
    expect(readGap(writer.buffer, read(writer, writer.writeGap(2 ** 33, 2 ** 33 + 5)))).toEqual({ from: 2 ** 33, to: 2 ** 33 + 5 });
  });

  it('holds texts larger than its first buffer', () => {
    const text = 'ü'.repeat(200_000);
    const record = read(writer, writer.writeBegin('r:1', text));
    expect(readText(writer.buffer, record).text === text).toBe(true);
  });

  it('refuses a text beyond the limit', () => {
    expect(() => writer.writeBegin('r:1', 'x'.repeat(RECORD_BYTES_MAX))).toThrow(RangeError);
  });

  it('is not read when any byte differs or any byte at its end is missing', () => {
    const length = writer.writeEnd(5, 'r:1', '{"a":1}');
    for (let at = 0; at < length; at += 1) {
      const copy = Buffer.from(writer.buffer.subarray(0, length));
      copy[at] = (copy[at] ?? 0) ^ 0x41;
      expect(typeof readRecord(copy, 0, length)).toBe('string');
      expect(readRecord(writer.buffer, 0, at)).toBe('short');
    }
  });
});
