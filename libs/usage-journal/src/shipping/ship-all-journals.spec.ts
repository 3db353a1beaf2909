import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SequencedUsageEvent } from '@weir/contracts';
import {
  beginAttempt,
  closeCrashed,
  describeEvent,
  endAttempt,
  listSegments,
  makeDirectory,
  openJournal,
  runAttempt,
} from '../__fixtures__/open-journal';
import type { UsageJournal } from '../usage-journal';
import { FolderTail } from './folder-tail';
import { keepTrimmed } from './keep-trimmed';
import { shipAllJournals, type AllShipping } from './ship-all-journals';

describe('shipping the journals of all writers', () => {
  const directory = makeDirectory();
  const watermarks = new Map<string, bigint>();
  const marks = { read: (writerId: string) => Promise.resolve(watermarks.get(writerId)) };
  const published: SequencedUsageEvent[] = [];
  const retired: string[] = [];
  let shipping: AllShipping;
  let isAway = false;

  const start = async (): Promise<void> => {
    shipping = await shipAllJournals({
      journals: { directory, durability: 'process', closeCrashed, now: Date.now },
      publish: (events) => {
        if (isAway) return Promise.reject(new Error('away'));
        published.push(...events);
        for (const { writerId, sequence } of events) watermarks.set(writerId, sequence);
        return Promise.resolve();
      },
      watermarks: marks,
      onAggregated: (writerId) => Promise.resolve(void retired.push(writerId)),
      onLost: () => undefined,
      ...{ pollMs: 5, lingerMs: 0, everyMs: 0, lookMs: 2 },
    });
  };
  const open = (segmentBytesMax?: number): UsageJournal => openJournal(directory, segmentBytesMax === undefined ? {} : { segmentBytesMax });
  const idsOf = (journal: UsageJournal): string[] => published.filter(({ writerId }) => writerId === journal.writerId).map(describeEvent);
  const until = async (isDone: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + 10_000; !isDone() && Date.now() < deadline;) await pause(2);
  };

  beforeEach(start);
  afterEach(() => shipping.close());
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('ships what living writers append, in their order, over segments, and lets each trim its own', async () => {
    const [one, two] = [open(2_000), open(2_000)];
    const trimmings = [one, two].map((journal) => keepTrimmed({ journal, watermarks: marks, pollMs: 5 }));
    const ids = Array.from({ length: 120 }, (_, index) => `${index}`);
    for (const id of ids) {
      runAttempt(one, `one-${id}`);
      runAttempt(two, `two-${id}`);
      if (Number(id) % 10 === 0) await pause(3);
    }
    await until(() => idsOf(one).length + idsOf(two).length === 240);

    expect(idsOf(one)).toEqual(ids.map((id) => `one-${id}`));
    expect(idsOf(two)).toEqual(ids.map((id) => `two-${id}`));
    expect(
      shipping
        .living()
        .map(({ journal }) => journal.writerId)
        .sort(),
    ).toEqual([one.writerId, two.writerId].sort());
    await until(() => [one, two].every(({ writerId }) => listSegments(directory, writerId).length === 1));
    await until(() => trimmings[0]?.aggregatedBelow === 120); // the last segment stays, however much of it is counted
    expect([listSegments(directory, one.writerId).length, trimmings[0]?.aggregatedBelow]).toEqual([1, 120]);
    runAttempt(one, 'after');
    await until(() => idsOf(one).length === 121);
    expect(idsOf(one).at(-1)).toBe('after');

    await Promise.all(trimmings.map((trimming) => trimming.close()));
    await Promise.all([one.close(), two.close()]);
    await until(() => retired.includes(one.writerId) && retired.includes(two.writerId));
  });

  it('recovers what a dead writer left, ships it once, and removes it then', async () => {
    const journal = open();
    runAttempt(journal, 'ended');
    beginAttempt(journal, 'cut');
    await until(() => idsOf(journal).length === 1);
    isAway = true;
    runAttempt(journal, 'late');
    await journal.close();
    await until(() => shipping.orphans().length === 1);
    expect(retired).not.toContain(journal.writerId);
    isAway = false;
    await until(() => !existsSync(join(directory, journal.writerId)));

    expect(new Set(idsOf(journal))).toEqual(new Set(['ended', 'late', 'cut!']));
    const sequences = published.filter(({ writerId }) => writerId === journal.writerId).map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(3);
    expect(retired).toContain(journal.writerId);
    expect(shipping.orphans()).toEqual([]);
  });

  it('goes on where it stood after it was started again', async () => {
    const journal = open();
    runAttempt(journal, 'a');
    await until(() => idsOf(journal).length === 1);
    await shipping.close();
    runAttempt(journal, 'b');
    await start();
    expect(await shipping.drain(5_000, 'aggregated')).toBe(true);
    expect(idsOf(journal)).toEqual(['a', 'b']);
    await journal.close();
  });

  it('takes no record that is not whole yet, nor what only looks like the rest of one', async () => {
    const journal = open();
    endAttemptOf(journal, 'x');
    await journal.flush();
    const [path = ''] = listSegments(directory, journal.writerId);
    const whole = readFileSync(path);
    const tail = new FolderTail(join(directory, journal.writerId), journal.writerId);
    for (const extra of [whole.subarray(76, 90), Buffer.alloc(40, 0xff)]) {
      appendFileSync(path, extra);
      await tail.look();
      expect([tail.tail.durable.offset, tail.tail.nextSequence]).toEqual([whole.length, 1]);
      truncateSync(path, whole.length);
    }
    endAttemptOf(journal, 'y');
    await tail.look();
    expect([tail.tail.durable.offset, tail.tail.nextSequence]).toEqual([readFileSync(path).length, 2]);
    await tail.close();
    await journal.close();
  });

  it('goes on with files that their owner wrote again after someone removed them', async () => {
    const journal = open();
    runAttempt(journal, 'before');
    await until(() => idsOf(journal).length === 1);
    rmSync(join(directory, journal.writerId), { recursive: true });
    await journal.flush();
    runAttempt(journal, 'after');
    await until(() => idsOf(journal).length === 2);
    expect(idsOf(journal)).toEqual(['before', 'after']);
    await journal.close();
  });

  function endAttemptOf(journal: UsageJournal, id: string): void {
    beginAttempt(journal, id);
    endAttempt(journal, id);
  }
});
