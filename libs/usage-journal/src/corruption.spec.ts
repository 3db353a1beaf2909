import { cpSync, copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { listSegments, makeDirectory, openJournal, readIds, recoverJournal, runAttempt } from './__fixtures__/open-journal';

const RECORDS = 200;
const START_MS_MAX = 2_000;

type Damage = {
  readonly kind: 'flip' | 'zero' | 'truncate' | 'delete' | 'duplicate';
  readonly segment: number;
  readonly at: number;
  readonly bytes: number;
};

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const damages = fc.array(
  fc.record<Damage>({
    kind: fc.constantFrom('flip', 'flip', 'flip', 'zero', 'truncate', 'delete', 'duplicate'),
    segment: share,
    at: share,
    bytes: fc.integer({ min: 1, max: 600 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function spoil(segments: readonly string[], { kind, segment, at, bytes }: Damage): void {
  const path = segments[Math.floor(segment * segments.length)] ?? '';
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    return; // deleted by an earlier damage
  }
  const from = Math.floor(at * content.length);
  if (kind === 'delete') return rmSync(path);
  if (kind === 'duplicate') return copyFileSync(path, join(dirname(path), `${'f'.repeat(8)}${basename(path).slice(8)}`));
  if (kind === 'truncate') return truncateSync(path, from);
  if (kind === 'flip') content[from] = (content[from] ?? 0) ^ 0x20;
  else content.fill(0, from, Math.min(from + bytes, content.length));
  writeFileSync(path, content);
}

describe('M8: a journal that was damaged in any way', () => {
  let whole: string;
  let writerId: string;
  const ids = Array.from({ length: RECORDS }, (_, index) => `r${index}:1`);

  beforeAll(async () => {
    whole = makeDirectory();
    const journal = openJournal(whole, { segmentBytesMax: 4_000 });
    writerId = journal.writerId;
    for (const id of ids) runAttempt(journal, id);
    await journal.close();
  });
  afterAll(() => rmSync(whole, { recursive: true, force: true }));

  it('starts at once, ships every readable event in its place, every other as lost or never, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(damages, async (history) => {
        const directory = makeDirectory();
        cpSync(whole, directory, { recursive: true });
        const segments = listSegments(directory, writerId);
        for (const damage of history) spoil(segments, damage);
        const startedAt = performance.now();
        const journal = recoverJournal(directory, { segmentBytesMax: 4_000 });
        expect(performance.now() - startedAt).toBeLessThan(START_MS_MAX);
        runAttempt(journal, 'next:1');
        const reported = await readIds(journal);
        const { lostSequences } = journal.stats().recovered;
        await journal.close();
        rmSync(directory, { recursive: true, force: true });

        // Sequence for sequence: the event itself, its attempt closed as cut short, or a gap that says so. Never another event.
        const old = reported.slice(0, -1);
        expect(old.filter((id, index) => id !== ids[index] && id !== '?' && !id.endsWith('!'))).toEqual([]);
        expect(new Set(reported.filter((id) => id !== '?').map((id) => id.replace('!', ''))).size).toBe(
          reported.filter((id) => id !== '?').length,
        );
        expect(old.filter((id) => id === '?').length).toBeLessThanOrEqual(lostSequences);
        expect(reported.at(-1)).toBe('next:1');
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
