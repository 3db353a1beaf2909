import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  beginAttempt,
  endAttempt,
  listSegments,
  makeDirectory,
  makeEvent,
  openJournal,
  readAll,
  readIds,
  recoverJournal,
  runAttempt,
} from './__fixtures__/open-journal';
import { readRecord, readText, RECORD } from './format/record';
import { SEGMENT_HEADER_BYTES } from './format/segment-header';
import { TailReader } from './shipping/tail-reader';
import type { UsageJournal } from './usage-journal';

/** What the version before short ends wrote: `a:1` and `b:1` ended, `open:1` begun and 7 tokens of it noted. */
const EARLIER_WRITER = '6cacfc72-e543-4292-a074-8fff86edf372';
const EARLIER_SEGMENT = [
  'V0VJUkpSTkwBAAAAY3JjMzItaWVlZQAANmNhY2ZjNzItZTU0My00MjkyLWEwNzQtOGZmZjg2ZWRmMzcyAQAAAAAAAAAAAAAA18zJ5Q4AAAA8SD2t',
  'BAEAAAAAAAAAAAEAAAAhAAAAORKEpwEBAAAAAAAAAAADAGE6MXsiZXZlbnRfaWQiOiJhOjEifTUAAABIHfMkAwEAAAAAAAAAAAMAYToxeyJ2IjoxLCJl',
  'dmVudF9pZCI6ImE6MSIsInN0YXR1cyI6Im9rIn0hAAAACuo6mwEBAAAAAAAAAAADAGI6MXsiZXZlbnRfaWQiOiJiOjEifTUAAADQ39KuAwEBAAAAAAAA',
  'AAMAYjoxeyJ2IjoxLCJldmVudF9pZCI6ImI6MSIsInN0YXR1cyI6Im9rIn0nAAAArPimWgEBAAAAAAAAAAAGAG9wZW46MXsiZXZlbnRfaWQiOiJvcGVu',
  'OjEifRYAAABpcI1XAgEAAAAAAAAAAAcAAAAAAG9wZW46MQ==',
].join('');

const NAMES = new Map(Object.entries(RECORD).map(([name, type]) => [type as number, name]));

let directory: string;
const journals: UsageJournal[] = [];

beforeEach(() => {
  directory = makeDirectory();
});
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(directory, { recursive: true, force: true });
});

function keep(journal: UsageJournal): UsageJournal {
  journals.push(journal);
  return journal;
}

type Written = { readonly name: string; readonly eventId: string; readonly start: number; readonly end: number };

/** The beginnings and ends in a file. */
function listWritten(path: string): Written[] {
  const bytes = readFileSync(path);
  const written: Written[] = [];
  for (let at = SEGMENT_HEADER_BYTES; at < bytes.length;) {
    const record = readRecord(bytes, at, bytes.length);
    if (typeof record !== 'object') throw new Error(`${record} at ${at}`);
    const name = NAMES.get(record.type) ?? '';
    if (/begin|end/i.test(name)) written.push({ name, eventId: readText(bytes, record).eventId, start: record.start, end: record.end });
    at = record.end;
  }
  return written;
}

function describeFile(path: string): string[] {
  return listWritten(path).map(({ name, eventId }) => `${name} ${eventId}`);
}

function findWritten(path: string, name: string, eventId: string): Written {
  const found = listWritten(path).find((written) => written.name === name && written.eventId === eventId);
  if (found === undefined) throw new Error(`no ${name} of ${eventId}`);
  return found;
}

function damage(path: string, { start, end }: Written): void {
  const bytes = readFileSync(path);
  const at = Math.floor((start + end) / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  writeFileSync(path, bytes);
}

function segmentsOf(journal: UsageJournal): string[] {
  return listSegments(directory, journal.writerId);
}

describe('an end that leaves out what its beginning says', () => {
  it('is read back as the whole event, character for character', async () => {
    const journal = keep(openJournal(directory));
    const event = makeEvent('é🙂:1', { status: 'upstream_cut', why: 'Zürich 🙂' });
    const whole = JSON.stringify(event);
    const text = whole.slice(0, whole.indexOf(',"status"'));
    journal.begin('é🙂:1', `{"ü":${text}}}`);
    journal.end('é🙂:1', whole.slice(text.length), { text, at: 5 });

    expect((await readAll(journal)).map(({ payload }) => payload)).toEqual([whole]);
    const [path = ''] = segmentsOf(journal);
    expect(describeFile(path)).toEqual(['begin é🙂:1', 'shortEnd é🙂:1']);
    expect(readFileSync(path, 'utf8').split('event_id')).toHaveLength(2);
  });

  it('stands in the segment of its beginning; in a later one it is whole, and needs none before it', async () => {
    const journal = keep(openJournal(directory, { segmentBytesMax: 400 }));
    beginAttempt(journal, 'long:1');
    for (let index = 0; index < 12; index += 1) runAttempt(journal, `r${index}:1`);
    endAttempt(journal, 'long:1');
    await journal.flush();
    const files = segmentsOf(journal).map(describeFile);
    expect(files.length).toBeGreaterThan(2);
    expect(files.at(-1)).toContain('end long:1');
    for (const lines of files) {
      const short = lines.filter((line) => line.startsWith('shortEnd '));
      expect(short.filter((line) => !lines.includes(line.replace('shortEnd', 'begin')))).toEqual([]);
    }

    await journal.tail.trim(12);
    expect(journal.tail.segments).toHaveLength(1);
    expect(await readIds(journal, 12)).toEqual(['long:1']);
  });

  it('is whole where its id was begun twice', async () => {
    const journal = keep(openJournal(directory));
    beginAttempt(journal, 'a:1');
    journal.begin('a:1', '{"other":1}');
    endAttempt(journal, 'a:1');

    expect(await readIds(journal)).toEqual(['a:1']);
    expect(describeFile(segmentsOf(journal)[0] ?? '')).toEqual(['begin a:1', 'begin a:1', 'end a:1']);
  });

  it('is read from the middle of a segment on, again, and across pieces that are read at a time', async () => {
    const journal = keep(openJournal(directory));
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}:1`);
    // More than a reader holds stands between beginning and end.
    const text = `{"v":1,"why":"${'x'.repeat(50_000)}"`;
    for (const id of ids) journal.begin(id, `${text},"id":"${id}"}`);
    for (const id of ids) journal.end(id, `,"event_id":"${id}"}`, { text, at: 0 });

    expect(await readIds(journal)).toEqual(ids);
    expect(await readIds(journal, 17)).toEqual(ids.slice(17));
    const reader = new TailReader({ tail: journal.tail, writerId: journal.writerId, epoch: 1 }, 0);
    const first = await reader.next(25);
    await reader.seek(3);
    expect((await reader.next(25)).map(({ payload }) => payload).slice(0, 22)).toEqual(first.slice(3).map(({ payload }) => payload));
    await reader.close();
  });

  it('is read although the file was written again after its beginning was read', async () => {
    const journal = keep(openJournal(directory));
    runAttempt(journal, 'a:1');
    beginAttempt(journal, 'b:1');
    await journal.flush();
    const reader = new TailReader({ tail: journal.tail, writerId: journal.writerId, epoch: 1 }, 0);
    expect([...(await reader.next(5)), ...(await reader.next(5))]).toHaveLength(1);
    rmSync(directory, { recursive: true });
    endAttempt(journal, 'b:1');
    await journal.flush();

    expect((await reader.next(5)).map(({ payload }) => payload)).toEqual([JSON.stringify(makeEvent('b:1'))]);
    await reader.close();
  });

  it('is cut off with its beginning, or before it, wherever a tail was torn', async () => {
    const journal = openJournal(directory);
    runAttempt(journal, 'a:1');
    runAttempt(journal, 'b:1');
    await journal.close();
    const [path = ''] = segmentsOf(journal);
    const whole = readFileSync(path);
    const begin = findWritten(path, 'begin', 'b:1');
    for (let size = begin.start; size < whole.length; size += 1) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const recovered = recoverJournal(directory);
      expect(await readIds(recovered)).toEqual(size < begin.end ? ['a:1'] : ['a:1', 'b:1!']);
      expect(recovered.stats().recovered.lostSequences).toBe(0);
      await recovered.close();
    }
  });

  it.each(['recovered', 'running'])('is shipped as lost, with all that is known, when its beginning is damaged: %s', async (which) => {
    let journal = openJournal(directory);
    for (const id of ['a:1', 'b:1', 'c:1']) runAttempt(journal, id);
    beginAttempt(journal, 'open:1');
    await journal.flush();
    const [path = ''] = segmentsOf(journal);
    damage(path, findWritten(path, 'begin', 'b:1'));
    if (which === 'recovered') {
      await journal.close();
      journal = recoverJournal(directory);
      expect(journal.stats().recovered).toMatchObject({ closed: 1, doubtful: 0, lostSequences: 1 });
    }

    const events = await readAll(keep(journal));
    expect(events.map(({ sequence }) => sequence)).toEqual(which === 'recovered' ? [0n, 1n, 2n, 3n] : [0n, 1n, 2n]);
    expect(JSON.parse(events[1]?.payload ?? '')).toEqual({
      v: 1,
      lost: true,
      writer_id: journal.writerId,
      seq: 1,
      reason: 'the beginning of this event could not be read',
      event_id: 'b:1',
      rest: ',"status":"ok"}',
    });
    expect(await readIds(journal)).toEqual(['a:1', '?', 'c:1', ...(which === 'recovered' ? ['open:1!'] : [])]);
    await journal.close();
    const again = recoverJournal(directory);
    expect(again.stats().recovered.lostSequences).toBe(which === 'recovered' ? 0 : 1);
    await again.close();
  });

  it('is shipped as lost when its beginning was cut off and no one had noticed yet', async () => {
    const onHarm = jest.fn();
    const journal = keep(openJournal(directory, { onHarm }));
    beginAttempt(journal, 'a:1');
    await journal.flush();
    truncateSync(segmentsOf(journal)[0] ?? '', SEGMENT_HEADER_BYTES);
    endAttempt(journal, 'a:1');
    beginAttempt(journal, 'b:1');
    await journal.flush();
    endAttempt(journal, 'b:1');

    expect(await readIds(journal)).toEqual(['?', 'b:1']);
    expect(onHarm).toHaveBeenCalledTimes(1);
  });
});

describe('a journal that an earlier version wrote', () => {
  it('is read, closed and gone on with in the same segment', async () => {
    mkdirSync(join(directory, EARLIER_WRITER), { mode: 0o700 });
    writeFileSync(join(directory, EARLIER_WRITER, '0000000000000000.seg'), Buffer.from(EARLIER_SEGMENT, 'base64'), { mode: 0o600 });

    const journal = keep(recoverJournal(directory));
    expect(journal.stats().recovered).toEqual({ closed: 1, doubtful: 0, lostSequences: 0, damagedBytes: 0 });
    runAttempt(journal, 'new:1');

    const events = await readAll(journal);
    expect(await readIds(journal)).toEqual(['a:1', 'b:1', 'open:1!', 'new:1']);
    expect(JSON.parse(events[2]?.payload ?? '')).toMatchObject({ dur_ms: 7 });
    expect(segmentsOf(journal).flatMap(describeFile)).toEqual([
      ...['begin a:1', 'end a:1', 'begin b:1', 'end b:1', 'begin open:1', 'end open:1'],
      ...['begin new:1', 'shortEnd new:1'],
    ]);
  });
});
