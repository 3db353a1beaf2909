import { readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  beginAttempt,
  endAttempt,
  listSegments,
  makeDirectory,
  makeEvent,
  openJournal,
  recoverJournal,
  recoverJournals,
  readAll,
  readIds,
  runAttempt,
} from './__fixtures__/open-journal';
import { openOrphanJournals } from './create-usage-journal';
import { JournalUnavailableError } from './usage-journal';

const noClose = {
  closeCrashed: (): never => {
    throw new Error('nothing was open');
  },
};

describe('the usage journal', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeDirectory();
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('gives ends a gapless sequence from 0 and reads their text back unchanged', async () => {
    const journal = openJournal(directory);
    const sequences = Array.from({ length: 20 }, (_, index) => runAttempt(journal, `r${index}:1`));
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, index) => BigInt(index)));
    const events = await readAll(journal);
    expect(events.map((event) => event.payload)).toEqual(
      Array.from({ length: 20 }, (_, index) => JSON.stringify(makeEvent(`r${index}:1`))),
    );
    expect(events.every((event) => event.writerId === journal.writerId && event.epoch === 1)).toBe(true);
    await journal.close();
  });

  it('is a writer of its own at every start, whatever was left', async () => {
    const first = openJournal(directory);
    runAttempt(first, 'a:1');
    await first.close();
    const second = openJournal(directory);
    expect(second.writerId).not.toBe(first.writerId);
    expect(runAttempt(second, 'b:1')).toBe(0n);
    await second.close();
  });

  it('goes on with the next sequence and the next epoch of what was left when it is recovered', async () => {
    const first = openJournal(directory);
    runAttempt(first, 'a:1');
    await first.close();
    const second = recoverJournal(directory, noClose);
    expect({ writer: second.writerId, epoch: second.epoch, sequence: runAttempt(second, 'b:1') }).toEqual({
      writer: first.writerId,
      epoch: 2,
      sequence: 1n,
    });
    expect((await readAll(second)).map((event) => event.epoch)).toEqual([1, 2]);
    await second.close();
  });

  it('starts a new segment when one is full and reads across all of them', async () => {
    const journal = openJournal(directory, { segmentBytesMax: 400 });
    const ids = Array.from({ length: 30 }, (_, index) => `r${index}:1`);
    for (const id of ids) runAttempt(journal, id);
    const segments = listSegments(directory, journal.writerId);
    expect(segments.length).toBeGreaterThan(5);
    expect(segments.every((path) => statSync(path).size <= 400)).toBe(true);
    expect(await readIds(journal)).toEqual(ids);
    expect(await readIds(journal, 17)).toEqual(ids.slice(17));
    await journal.close();
    const again = recoverJournal(directory, { segmentBytesMax: 400, ...noClose });
    expect(await readIds(again)).toEqual(ids);
    await again.close();
  });

  it('ends each attempt that was open exactly once, with its last progress, however often it is opened again', async () => {
    const crashed = openJournal(directory);
    runAttempt(crashed, 'done:1');
    beginAttempt(crashed, 'cut:1');
    crashed.progress('cut:1', 120);
    crashed.progress('cut:1', 500);
    beginAttempt(crashed, 'silent:1');
    await crashed.close();
    const recovered = recoverJournal(directory);
    expect(await readIds(recovered)).toEqual(['done:1', 'cut:1!', 'silent:1!']);
    expect((await readAll(recovered)).map((event) => (JSON.parse(event.payload) as { dur_ms?: number }).dur_ms)).toEqual([
      undefined,
      500,
      -1,
    ]);
    expect(recovered.stats().recovered).toEqual({ closed: 2, doubtful: 0, lostSequences: 0, damagedBytes: 0 });
    await recovered.close();
    const again = recoverJournal(directory, noClose);
    expect(await readIds(again)).toEqual(['done:1', 'cut:1!', 'silent:1!']);
    await again.close();
  });

  it('opens although a draft cannot be closed', async () => {
    const crashed = openJournal(directory);
    beginAttempt(crashed, 'bad:1');
    beginAttempt(crashed, 'good:1');
    await crashed.close();
    const failing = { closeCrashed: (draft: string) => (draft.includes('bad') ? noClose.closeCrashed() : makeEvent('good:1')) };
    const recovered = recoverJournal(directory, failing);
    expect(await readIds(recovered)).toEqual(['good:1']);
    await recovered.close();
  });

  it('adopts what a process left that is gone, whatever stands in its lock, and nothing of one that lives', async () => {
    const gone = openJournal(directory);
    const living = openJournal(directory);
    await gone.close();
    for (const words of ['half a lo', JSON.stringify({ pid: process.pid, startedAt: '', token: 'x' })]) {
      writeFileSync(join(directory, gone.writerId, 'lock'), words);
      const adopted = recoverJournals(directory);
      expect(adopted.map(({ writerId }) => writerId)).toEqual([gone.writerId]);
      await Promise.all(adopted.map((journal) => journal.close()));
    }
    await living.close();
  });

  it('adopts every orphan under its own writer id and leaves those in use alone', async () => {
    const others = [openJournal(directory), openJournal(directory), openJournal(directory)];
    others.forEach((journal, index) => {
      runAttempt(journal, `w${index}:1`);
      beginAttempt(journal, `open${index}:1`);
    });
    await others[0]?.close();
    await others[1]?.close();
    const orphans = openOrphanJournals({
      directory,
      durability: 'process',
      closeCrashed: () => makeEvent('closed:1', { status: 'aborted_crash' }),
      now: () => 0,
    });
    expect(orphans.map((journal) => journal.writerId).sort()).toEqual([others[0]?.writerId, others[1]?.writerId].sort());
    const [first] = orphans;
    expect(first === undefined ? [] : await readIds(first)).toEqual([expect.stringMatching(/^w\d:1$/), 'closed:1!']);
    await Promise.all([...orphans, ...others].map((journal) => journal.close()));
  });

  it('M7: accepts nothing new when nearly full, but still ends what is open', async () => {
    const journal = openJournal(directory, { bytesMax: 4_000, segmentBytesMax: 1_000 });
    beginAttempt(journal, 'early:1');
    let runs = 0;
    for (; journal.isAccepting; runs += 1) runAttempt(journal, `r${runs}:1`);
    expect(journal.stats().bytes).toBeGreaterThanOrEqual(3_800);
    expect(() => beginAttempt(journal, 'late:1')).toThrow(new JournalUnavailableError('full'));
    expect(endAttempt(journal, 'early:1')).toBe(BigInt(runs));
    await journal.flush();
    await journal.tail.trim(runs);
    expect(journal.isAccepting).toBe(true);
    await journal.close();
  });

  it('M7: warns once above 80 %, and again only after it fell below that in between', async () => {
    const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
    const journal = openJournal(directory, { bytesMax: 20_000, segmentBytesMax: 1_000, log });
    let runs = 0;
    for (let round = 1; round <= 2; round += 1) {
      for (; journal.stats().bytes <= 16_000; runs += 1) runAttempt(journal, `r${runs}:1`);
      runAttempt(journal, `more${round}:1`);
      runs += 1;
      expect(log.warn).toHaveBeenCalledTimes(round);
      await journal.flush();
      await journal.tail.trim(runs - 1);
    }
    expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ bytesMax: 20_000 }), expect.stringContaining('nearly full'));
    await journal.close();
  });

  it('M7: is failed for good after a write error, and loses nothing that was acknowledged', async () => {
    let isBroken = false;
    const onFailure = jest.fn();
    let taken = 0;
    const files = {
      writeSync: (fd: number, bytes: Buffer, ...[from, length]: [number, number]): number => {
        if (!isBroken) return writeSync(fd, bytes, from, length);
        // The disk takes a part of the record, then no more.
        if (taken === 0) return (taken = writeSync(fd, bytes, from, 11));
        throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      },
    };
    const journal = openJournal(directory, { files, onFailure });
    runAttempt(journal, 'kept:1');
    beginAttempt(journal, 'cut:1');
    isBroken = true;
    expect(() => endAttempt(journal, 'cut:1')).toThrow(JournalUnavailableError);
    isBroken = false;
    expect(journal.isAccepting).toBe(false);
    expect(() => beginAttempt(journal, 'x:1')).toThrow('failed');
    expect(() => endAttempt(journal, 'cut:1')).toThrow('failed');
    expect(onFailure).toHaveBeenCalledTimes(1);
    await journal.close();
    const recovered = recoverJournal(directory);
    expect(await readIds(recovered)).toEqual(['kept:1', 'cut:1!']);
    await recovered.close();
  });

  it('M7: never tries a failed sync again, and says so to everybody who waits', async () => {
    let calls = 0;
    const files = {
      fdatasync: (_fd: number, done: (error: Error | null) => void): void => {
        calls += 1;
        done(new Error('input/output error'));
      },
    };
    const onFailure = jest.fn();
    const journal = openJournal(directory, { durability: 'power', files, onFailure });
    runAttempt(journal, 'a:1');
    const outcomes = await Promise.allSettled([journal.whenDurable(), journal.whenDurable(), journal.flush()]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(journal.whenDurable()).rejects.toThrow('failed');
    expect({ calls, failures: onFailure.mock.calls.length, isAccepting: journal.isAccepting }).toEqual({
      calls: 1,
      failures: 1,
      isAccepting: false,
    });
    await journal.close();
  });

  it('lets everybody who comes while a sync is at work share the next one', async () => {
    const pending: ((error: Error | null) => void)[] = [];
    const files = { fdatasync: (_fd: number, done: (error: Error | null) => void): void => void pending.push(done) };
    const journal = openJournal(directory, { durability: 'power', files });
    runAttempt(journal, 'a:1');
    const first = journal.whenDurable();
    const later = Array.from({ length: 50 }, (_, index) => {
      runAttempt(journal, `b${index}:1`);
      return Promise.resolve(journal.whenDurable());
    });
    expect(pending).toHaveLength(1);
    pending.shift()?.(null);
    await first;
    await new Promise(setImmediate);
    expect(pending).toHaveLength(1);
    expect(journal.tail.durable.nextSequence).toBe(1);
    pending.shift()?.(null);
    await Promise.all(later);
    expect(journal.tail.durable.nextSequence).toBe(51);
    const closing = journal.close();
    pending.shift()?.(null);
    await closing;
  });

  it('keeps a segment until all of it is aggregated and nothing that began in it is open', async () => {
    const journal = openJournal(directory, { segmentBytesMax: 400 });
    for (let index = 0; index < 10; index += 1) runAttempt(journal, `r${index}:1`);
    const { bytes } = journal.stats();
    beginAttempt(journal, 'long:1');
    for (let index = 10; index < 30; index += 1) runAttempt(journal, `r${index}:1`);
    const all = listSegments(directory, journal.writerId);
    const firstSequences = journal.tail.segments.map((segment) => segment.firstSequence);
    await journal.tail.trim((firstSequences[2] ?? 0) - 1);
    expect(listSegments(directory, journal.writerId)).toEqual(all.slice(2));
    await journal.tail.trim(29);
    expect(journal.tail.segments[0]?.firstSequence).toBeLessThanOrEqual(10);
    endAttempt(journal, 'long:1');
    await journal.tail.trim(29);
    expect(journal.tail.segments.length).toBeLessThanOrEqual(2);
    expect(journal.stats().bytes).toBeLessThan(bytes);
    await journal.close();
    const again = recoverJournal(directory, noClose);
    expect(again.tail.trimmedBelow).toBe(30);
    expect(runAttempt(again, 'next:1')).toBe(31n);
    expect(await readIds(again, 30)).toEqual(['long:1', 'next:1']);
    await again.close();
  });

  it('removes its folder when it retires', async () => {
    const journal = openJournal(directory);
    runAttempt(journal, 'a:1');
    await journal.retire();
    expect(readdirSync(directory)).toEqual([]);
  });
});
