import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  beginAttempt,
  endAttempt,
  listSegments,
  makeDirectory,
  openJournal,
  readIds,
  recoverJournal,
  runAttempt,
} from './__fixtures__/open-journal';
import { RECORD_HEAD_BYTES } from './format/record';
import { SEGMENT_HEADER_BYTES } from './format/segment-header';
import type { UsageJournal } from './usage-journal';

type Left = { readonly directory: string; readonly writerId: string; readonly segments: string[] };

/** What a process leaves behind after these actions, in a folder of its own. */
async function leaveBehind(act: (journal: UsageJournal) => void, segmentBytesMax = 64 * 1024): Promise<Left> {
  const directory = makeDirectory();
  const journal = openJournal(directory, { segmentBytesMax });
  act(journal);
  await journal.close();
  return { directory, writerId: journal.writerId, segments: listSegments(directory, journal.writerId) };
}

function copyOf(left: Left): Left {
  const directory = makeDirectory();
  cpSync(left.directory, directory, { recursive: true });
  return { directory, writerId: left.writerId, segments: listSegments(directory, left.writerId) };
}

async function reopen(left: Left): Promise<{ ids: string[]; lost: number; next: string }> {
  const journal = recoverJournal(left.directory);
  expect(journal.writerId).toBe(left.writerId);
  runAttempt(journal, 'next:1');
  const ids = await readIds(journal);
  const { recovered } = journal.stats();
  await journal.close();
  return { ids: ids.slice(0, -1), lost: recovered.lostSequences, next: ids.at(-1) ?? 'nothing' };
}

function remove(...left: Left[]): void {
  for (const { directory } of left) rmSync(directory, { recursive: true, force: true });
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  writeFileSync(path, bytes);
}

describe('recovery of a usage journal', () => {
  it('cuts off a torn record at every length and goes on with the sequence it would have had', async () => {
    const whole = await leaveBehind((journal) => {
      runAttempt(journal, 'a:1');
      runAttempt(journal, 'b:1');
    });
    const path = whole.segments[0] ?? '';
    const size = statSync(path).size;
    const last = RECORD_HEAD_BYTES + 8 + 2 + 'b:1'.length + ',"status":"ok"}'.length;
    for (let missing = 1; missing <= last; missing += 1) {
      const copy = copyOf(whole);
      truncateSync(copy.segments[0] ?? '', size - missing);
      expect(await reopen(copy)).toEqual({ ids: ['a:1', 'b:1!'], lost: 0, next: 'next:1' });
      remove(copy);
    }
    remove(whole);
  });

  it('cuts off zeros and rubbish that a power cut left behind the last record', async () => {
    for (const rubbish of [Buffer.alloc(5_000), Buffer.from('x'.repeat(999))]) {
      const left = await leaveBehind((journal) => void runAttempt(journal, 'a:1'));
      appendFileSync(left.segments[0] ?? '', rubbish);
      expect(await reopen(left)).toEqual({ ids: ['a:1'], lost: 0, next: 'next:1' });
      remove(left);
    }
  });

  it('loses nothing to a power cut that takes from full segments what was not synced and leaves the next one', async () => {
    const directory = makeDirectory();
    const synced = new Map<number, number>();
    const fdatasyncSync = (fd: number): void => {
      const { ino, size } = fstatSync(fd);
      synced.set(ino, size);
    };
    const journal = openJournal(directory, { durability: 'power', segmentBytesMax: 512, files: { fdatasyncSync } });
    beginAttempt(journal, 'open:1');
    const ids = Array.from({ length: 20 }, (_, at) => `a:${at}`);
    for (const id of ids) runAttempt(journal, id);
    const kept = listSegments(directory, journal.writerId).map((path) => synced.get(statSync(path).ino) ?? 0);
    const left = copyOf({ directory, writerId: journal.writerId, segments: [] });
    for (const [at, path] of left.segments.slice(0, -1).entries()) truncateSync(path, kept[at]);
    expect(left.segments.length).toBeGreaterThan(2);
    expect(await reopen(left)).toEqual({ ids: [...ids, 'open:1!'], lost: 0, next: 'next:1' });
    await journal.close();
    remove(left, { directory, writerId: '', segments: [] });
  });

  it('starts with a segment of which the header was never finished', async () => {
    for (const length of [0, 1, SEGMENT_HEADER_BYTES - 1]) {
      const left = await leaveBehind(() => undefined);
      truncateSync(left.segments[0] ?? '', length);
      expect(await reopen(left)).toEqual({ ids: [], lost: 0, next: 'next:1' });
      remove(left);
    }
  });

  it('survives any one flipped byte: what is readable is shipped in order, what is not is shipped as lost, nothing twice', async () => {
    const ids = ['a:1', 'b:1', 'd:1'];
    const whole = await leaveBehind((journal) => ids.forEach((id) => runAttempt(journal, id)));
    const size = statSync(whole.segments[0] ?? '').size;
    let reported = 0;
    for (let at = 0; at < size; at += 1) {
      const copy = copyOf(whole);
      flip(copy.segments[0] ?? '', at);
      const { ids: found, lost, next } = await reopen(copy);
      expect(next).toBe('next:1');
      const wrong = found.filter((id, index) => id !== ids[index]);
      // The last record cannot be distinguished from a torn one: its attempt is then closed as cut short, under its own id and sequence.
      expect([[], ['?'], ['d:1!']]).toContainEqual(wrong);
      expect(found).toHaveLength(ids.length);
      expect(lost).toBe(wrong[0] === '?' ? 1 : 0);
      reported += lost;
      expect(existsSync(join(copy.directory, copy.writerId, 'quarantine'))).toBe(wrong[0] !== 'd:1!');
      remove(copy);
    }
    expect(reported).toBeGreaterThan(100);
    remove(whole);
  }, 60_000);

  it('ships what was lost only once, however often it starts', async () => {
    const left = await leaveBehind((journal) => ['a:1', 'b:1', 'c:1'].forEach((id) => runAttempt(journal, id)));
    const bytes = readFileSync(left.segments[0] ?? '');
    flip(left.segments[0] ?? '', bytes.lastIndexOf('b:1'));
    expect(await reopen(left)).toEqual({ ids: ['a:1', '?', 'c:1'], lost: 1, next: 'next:1' });
    expect(await reopen(left)).toEqual({ ids: ['a:1', '?', 'c:1', 'next:1'], lost: 0, next: 'next:1' });
    expect(readdirSync(join(left.directory, left.writerId, 'quarantine'))).toHaveLength(1);
    remove(left);
  });

  it('does not end an attempt a second time when its end may be among what is lost', async () => {
    const left = await leaveBehind((journal) => {
      beginAttempt(journal, 'before:1');
      runAttempt(journal, 'lost:1');
      beginAttempt(journal, 'after:1');
      runAttempt(journal, 'kept:1');
    });
    const bytes = readFileSync(left.segments[0] ?? '');
    flip(left.segments[0] ?? '', bytes.lastIndexOf('lost:1'));
    expect((await reopen(left)).ids).toEqual(['?', 'kept:1', 'after:1!']);
    remove(left);
  });

  it('passes over a segment that is gone, and one that was copied', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}:1`);
    const whole = await leaveBehind((journal) => ids.forEach((id) => runAttempt(journal, id)), 400);
    expect(whole.segments.length).toBeGreaterThan(4);
    for (let index = 0; index < whole.segments.length - 1; index += 1) {
      const gone = copyOf(whole);
      rmSync(gone.segments[index] ?? '');
      const { ids: found, lost } = await reopen(gone);
      expect(found.filter((id) => id === '?')).toHaveLength(lost);
      expect(lost).toBeGreaterThan(0);
      expect(found.map((id, at) => (id === '?' ? ids[at] : id))).toEqual(ids);
      const copied = copyOf(whole);
      copyFileSync(copied.segments[index] ?? '', join(copied.directory, copied.writerId, '00000000000000ff.seg'));
      expect(await reopen(copied)).toEqual({ ids, lost: 0, next: 'next:1' });
      remove(gone, copied);
    }
    remove(whole);
  });

  it('starts whatever the watermark file holds', async () => {
    const left = await leaveBehind((journal) => void runAttempt(journal, 'a:1'));
    for (const text of ['', 'rubbish of 16 b.', 'x'.repeat(100)]) {
      writeFileSync(join(left.directory, left.writerId, 'watermark'), text);
      expect((await reopen(left)).ids[0]).toBe('a:1');
    }
    mkdirSync(join(left.directory, 'not-a-writer'));
    writeFileSync(join(left.directory, left.writerId, 'stray.txt'), 'x');
    expect((await reopen(left)).ids[0]).toBe('a:1');
    remove(left);
  });

  it('resynchronises quickly in a segment full of rubbish', async () => {
    const left = await leaveBehind((journal) => void runAttempt(journal, 'a:1'));
    const path = left.segments[0] ?? '';
    const records = readFileSync(path).subarray(SEGMENT_HEADER_BYTES);
    const head = readFileSync(path).subarray(0, SEGMENT_HEADER_BYTES);
    const mibs = 4 * 1024 * 1024;
    for (const rubbish of [
      Buffer.alloc(mibs),
      Buffer.alloc(mibs, '{"a":"text"}'),
      Buffer.alloc(mibs, Buffer.from([0, 1, 2, 3, 4, 5, 1, 1, 3, 1])),
      randomBytes(mibs),
    ]) {
      writeFileSync(path, Buffer.concat([head, rubbish, records]));
      const startedAt = Date.now();
      const journal = recoverJournal(left.directory);
      expect(Date.now() - startedAt).toBeLessThan(2_000);
      expect(await readIds(journal)).toEqual(['a:1']);
      await journal.close();
    }
    remove(left);
  });
});

type Action = { readonly kind: 'run' | 'begin' | 'end' | 'progress' | 'restart' | 'tear' | 'trim'; readonly pick: number };

const actions = fc.array(
  fc.record<Action>({
    kind: fc.constantFrom('run', 'run', 'run', 'begin', 'end', 'progress', 'restart', 'tear', 'trim'),
    pick: fc.nat(1_000),
  }),
  { maxLength: 60 },
);

describe('any history of runs, restarts, torn tails and trims', () => {
  it('ships every ended attempt once, in order, and every open one as cut short once', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (history) => {
        const directory = makeDirectory();
        const reported: string[] = [];
        let open: string[] = [];
        let trimmedBelow = 0;
        let journal = openJournal(directory, { segmentBytesMax: 500 });
        const restart = async (tear: number): Promise<void> => {
          await journal.close();
          // Bytes of a record that never became whole.
          if (tear > 0) appendFileSync(listSegments(directory, journal.writerId).at(-1) ?? '', Buffer.alloc(tear % 40, 7));
          journal = recoverJournal(directory, { segmentBytesMax: 500 });
          reported.push(...open.map((id) => `${id}!`));
          open = [];
        };
        for (const [index, { kind, pick }] of history.entries()) {
          const id = `${index}:1`;
          const chosen = open[pick % Math.max(1, open.length)];
          if (kind === 'run') {
            runAttempt(journal, id);
            reported.push(id);
          } else if (kind === 'begin') {
            beginAttempt(journal, id);
            open.push(id);
          } else if (kind === 'restart') await restart(0);
          else if (kind === 'tear') await restart(pick);
          else if (kind === 'trim' && reported.length > 0) {
            await journal.tail.trim(pick % reported.length);
            trimmedBelow = Math.max(trimmedBelow, journal.tail.trimmedBelow);
          } else if (chosen !== undefined && kind === 'end') {
            endAttempt(journal, chosen);
            open = open.filter((other) => other !== chosen);
            reported.push(chosen);
          } else if (chosen !== undefined) journal.progress(chosen, pick);
        }
        await restart(0);
        expect(await readIds(journal, trimmedBelow)).toEqual(reported.slice(trimmedBelow));
        expect(journal.tail.nextSequence).toBe(reported.length);
        await journal.close();
        rmSync(directory, { recursive: true, force: true });
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
