import { fstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  beginAttempt,
  closeCrashed,
  describeEvent,
  endAttempt,
  makeDirectory,
  openJournal,
  readIds,
  recoverJournal,
  recoverJournals,
  runAttempt,
} from './__fixtures__/open-journal';
import type { JournalFiles } from './folder/journal-files';
import { shipOrphanJournals } from './shipping/ship-orphan-journals';
import { JournalUnavailableError, type UsageJournal } from './usage-journal';

type Disk = { readonly files: Pick<JournalFiles, 'writeSync' | 'writeAtSync'>; free: number };

/** A disk with space for so many bytes more. What is written over other bytes needs none; what is freed, others take at once. */
function createDisk(): Disk {
  const write = (over: number, length: number, take: (most: number) => number): number => {
    if (over < length && disk.free <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const written = take(Math.min(length, over + disk.free));
    disk.free -= Math.max(0, written - over);
    return written;
  };
  const disk: Disk = {
    free: Infinity,
    files: {
      writeSync: (fd, bytes, from, length) => write(0, length, (most) => writeSync(fd, bytes, from, most)),
      writeAtSync: (fd, bytes, position) => {
        const over = Math.min(bytes.length, Math.max(0, fstatSync(fd).size - position));
        return write(over, bytes.length, (most) => writeSync(fd, bytes, 0, most, position));
      },
    },
  };
  return disk;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('a usage journal on a disk that fills up', () => {
  let directory: string;
  let journal: UsageJournal;
  const onFailure = jest.fn();

  beforeEach(() => {
    directory = makeDirectory();
    onFailure.mockReset();
  });
  afterEach(async () => {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function reservePath(): string {
    return join(directory, journal.writerId, 'reserve');
  }

  it('refuses what is new, writes the ends of what runs into its reserve, and accepts again once there is space', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5 });
    expect(statSync(reservePath()).size).toBe(8 * 1024 * 1024);
    runAttempt(journal, 'before:1');
    for (const id of ['a:1', 'b:1']) beginAttempt(journal, id);

    // The disk takes a part of a record, then no more: the part is taken back.
    disk.free = 11;
    expect(() => beginAttempt(journal, 'new:1')).toThrow(new JournalUnavailableError('full'));
    expect(journal.isAccepting).toBe(false);
    journal.progress('b:1', 5);
    expect([endAttempt(journal, 'a:1'), endAttempt(journal, 'b:1')]).toEqual([1n, 2n]);
    expect([journal.stats().open, journal.stats().unwritten, journal.whenDurable()]).toEqual([2, 0, null]);
    expect(await readIds(journal)).toEqual(['before:1']);

    disk.free = Infinity;
    await until(() => journal.isAccepting);
    expect(readdirSync(join(directory, journal.writerId))).toContain('reserve');
    expect(readdirSync(join(directory, journal.writerId))).not.toContain('probe');
    expect(runAttempt(journal, 'after:1')).toBe(3n);
    expect(await readIds(journal)).toEqual(['before:1', 'a:1', 'b:1', 'after:1']);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('accepts nothing before the disk has as much space as it sets aside', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5 });
    disk.free = 0;
    expect(() => beginAttempt(journal, 'new:1')).toThrow(new JournalUnavailableError('full'));
    disk.free = 1024 * 1024;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(journal.isAccepting).toBe(false);
    disk.free = Infinity;
    await until(() => journal.isAccepting);
  });

  it('holds back what only this process knows: ends that neither the disk nor the reserve took', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5, reserveBytes: 10 });
    beginAttempt(journal, 'a:1');
    disk.free = 0;
    endAttempt(journal, 'a:1');
    const isOver = jest.fn();
    const durable = journal.whenDurable()?.then(isOver);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isOver).not.toHaveBeenCalled();

    disk.free = Infinity;
    await durable;
    expect(isOver).toHaveBeenCalled();
    expect(await readIds(journal)).toEqual(['a:1']);
    expect(journal.whenDurable()).toBeNull();
  });

  it('calls an end durable once the disk has taken it, whatever of those after it still waits', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5, reserveBytes: 10 });
    for (const id of ['before:1', 'a:1', 'b:1']) beginAttempt(journal, id);
    const { bytes } = journal.stats();
    endAttempt(journal, 'before:1');
    const endBytes = journal.stats().bytes - bytes;
    disk.free = 0;
    endAttempt(journal, 'a:1');
    const first = journal.whenDurable();
    endAttempt(journal, 'b:1');
    const isAllWritten = jest.fn();
    const second = journal.whenDurable()?.then(isAllWritten);

    disk.free = endBytes;
    await first;
    expect([await readIds(journal), journal.stats().unwritten]).toEqual([['before:1', 'a:1'], 2]);
    expect(isAllWritten).not.toHaveBeenCalled();
    disk.free = Infinity;
    await second;
    expect(await readIds(journal)).toEqual(['before:1', 'a:1', 'b:1']);
  });

  it('rejects those who wait for ends that it leaves unwritten', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, reserveBytes: 10 });
    beginAttempt(journal, 'a:1');
    disk.free = 0;
    endAttempt(journal, 'a:1');
    const durable = expect(journal.whenDurable()).rejects.toThrow(new JournalUnavailableError('closed'));
    await journal.close();
    await durable;
  });

  it('keeps ends that do not fit even into the reserve, and writes them in their order before anything else', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5, durability: 'power', segmentBytesMax: 600 });
    for (const id of ['a:1', 'b:1', 'c:1']) beginAttempt(journal, id);
    disk.free = 0;

    expect([endAttempt(journal, 'a:1'), endAttempt(journal, 'b:1')]).toEqual([0n, 1n]);
    expect(() => beginAttempt(journal, 'new:1')).toThrow(new JournalUnavailableError('full'));
    journal.progress('c:1', 5);
    const durable = journal.whenDurable();
    expect(await readIds(journal)).toEqual([]);
    expect(journal.stats().open).toBe(3);

    disk.free = Infinity;
    await durable;
    expect(await readIds(journal)).toEqual(['a:1', 'b:1']);
    expect(endAttempt(journal, 'c:1')).toBe(2n);
    for (let index = 0; index < 9; index += 1) runAttempt(journal, `more${index}:1`);
    expect(await readIds(journal, 2)).toHaveLength(10);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('leaves no half segment behind when the disk fills up between two', async () => {
    const disk = createDisk();
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5, segmentBytesMax: 300 });
    let runs = 0;
    for (; journal.stats().segments < 3; runs += 1) runAttempt(journal, `r${runs}:1`);
    const listed = (): number => readdirSync(join(directory, journal.writerId)).filter((name) => name.endsWith('.seg')).length;
    beginAttempt(journal, 'running:1');
    disk.free = 0;
    for (let index = 0; index < 5; index += 1)
      expect(endAttempt(journal, index === 0 ? 'running:1' : `x${index}:1`)).toBe(BigInt(runs + index));
    expect(listed()).toBe(journal.stats().segments);

    disk.free = Infinity;
    await until(() => journal.isAccepting);
    expect(await readIds(journal, runs)).toEqual(['running:1', 'x1:1', 'x2:1', 'x3:1', 'x4:1']);
  });

  it('starts on a disk without space for its reserve, refusing until there is', async () => {
    const disk = createDisk();
    disk.free = 1_000;
    journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5 });
    expect(journal.isAccepting).toBe(false);

    disk.free = Infinity;
    await until(() => journal.isAccepting);
    expect(runAttempt(journal, 'a:1')).toBe(0n);
  });

  it('starts beside a journal of a dead writer that it has no space to recover, and leaves it whole to a later start', async () => {
    const dead = openJournal(directory);
    runAttempt(dead, 'ended:1');
    beginAttempt(dead, 'running:1');
    await dead.close();
    const disk = createDisk();
    disk.free = 1_000;
    const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
    const options = { files: disk.files, log };

    jest.useFakeTimers();
    try {
      journal = openJournal(directory, options);
      const [openFiles, timers] = [readdirSync('/dev/fd').length, jest.getTimerCount()];
      expect(disk.free).toBe(0);
      expect(recoverJournals(directory, options)).toEqual([]);
      expect(log.error).toHaveBeenLastCalledWith(
        expect.objectContaining({ writerId: dead.writerId }),
        'the disk is full: an abandoned usage journal waits for the next start',
      );
      expect([readdirSync('/dev/fd').length, jest.getTimerCount()]).toEqual([openFiles, timers]);
    } finally {
      jest.useRealTimers();
    }

    disk.free = Infinity;
    const orphan = recoverJournal(directory, options);
    expect([orphan.writerId, await readIds(orphan)]).toEqual([dead.writerId, ['ended:1', 'running:1!']]);
    await orphan.close();
  });

  it('keeps the journal of a dead writer until a full disk has taken the ends of what was cut short', async () => {
    const dead = openJournal(directory);
    beginAttempt(dead, 'running:1');
    await dead.close();
    const disk = createDisk();
    disk.free = 30; // for the record that begins an epoch
    const published: string[] = [];
    const shipping = shipOrphanJournals({
      journals: { directory, durability: 'process', closeCrashed, now: () => 0, files: disk.files, retryMs: 5 },
      publish: (events) => Promise.resolve(void published.push(...events.map(describeEvent))),
      watermarks: { read: () => Promise.resolve(published.length === 0 ? undefined : BigInt(published.length - 1)) },
      ...{ pollMs: 5, lingerMs: 1 },
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(shipping.list().map(({ journal: kept }) => kept.stats().unwritten)).toEqual([1]);

    disk.free = Infinity;
    await shipping.retired;
    expect(published).toEqual(['running:1!']);
    await shipping.close();
  });

  it('trims no beginning of a dead writer whose end a full disk has not taken', async () => {
    const dead = openJournal(directory, { segmentBytesMax: 300 });
    beginAttempt(dead, 'running:1');
    for (let index = 0; index < 9; index += 1) runAttempt(dead, `r${index}:1`);
    await dead.close();
    const disk = createDisk();
    disk.free = 30; // for the record that begins an epoch
    journal = recoverJournal(directory, { files: disk.files, retryMs: 10_000 });
    await journal.tail.trim(8);
    await journal.close();

    journal = recoverJournal(directory);
    expect((await readIds(journal, 9)).at(-1)).toBe('running:1!');
  });

  it('closes the file of a journal that has not even space for a header', () => {
    journal = openJournal(directory);
    const disk = createDisk();
    disk.free = 0;
    const openFiles = readdirSync('/dev/fd').length;

    expect(() => openJournal(directory, { files: disk.files })).toThrow('no space left');

    expect(readdirSync('/dev/fd')).toHaveLength(openFiles);
  });

  describe('ends before there is space again', () => {
    async function endWithout(space: { readonly reserveBytes?: number }): Promise<void> {
      const disk = createDisk();
      journal = openJournal(directory, { files: disk.files, onFailure, retryMs: 5, ...space });
      for (const id of ['a:1', 'b:1', 'c:1']) beginAttempt(journal, id);
      disk.free = 0;
      endAttempt(journal, 'b:1');
      endAttempt(journal, 'a:1');
      await journal.close();
    }

    it('and its ends are found in the reserve by the next process', async () => {
      await endWithout({});
      journal = recoverJournal(directory);
      expect(await readIds(journal)).toEqual(['a:1', 'b:1', 'c:1!']);
      expect(journal.stats().recovered).toMatchObject({ closed: 1 });
    });

    it('and what did not fit even into the reserve is closed as cut short', async () => {
      await endWithout({ reserveBytes: 10 });
      journal = recoverJournal(directory);
      expect(await readIds(journal)).toEqual(['a:1!', 'b:1!', 'c:1!']);
    });

    it('and what is torn in the reserve is closed as cut short', async () => {
      await endWithout({});
      const bytes = readFileSync(reservePath());
      const torn = bytes.indexOf('"a:1"');
      bytes[torn + 1] = 0x7a;
      writeFileSync(reservePath(), bytes);
      journal = recoverJournal(directory);
      expect(await readIds(journal)).toEqual(['a:1!', 'b:1', 'c:1!']);
    });
  });
});
