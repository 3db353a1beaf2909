import { makeUsageEvent } from '@weir/testing';
import { createUsageJournal, type UsageJournal } from '@weir/usage-journal';
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHeldEnds } from './read-held-ends';

describe('ends of held requests in a journal', () => {
  let directory: string;
  let journal: UsageJournal;
  let isFull = false;
  const end = (holdId: string | null): void => {
    const event = makeUsageEvent({ event_id: randomUUID(), hold_id: holdId });
    journal.end(event.event_id, JSON.stringify(event));
  };
  const read = async (): Promise<(string | null)[]> => {
    const found: (string | null)[] = [];
    for await (const { hold_id: holdId } of readHeldEnds(journal, 0)) found.push(holdId);
    return found;
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weir-held-'));
    isFull = false;
    journal = createUsageJournal({
      ...{ directory, durability: 'process', retryMs: 5, now: Date.now },
      closeCrashed: () => makeUsageEvent(),
      files: {
        writeSync: (fd, bytes, from, length) => {
          if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          return writeSync(fd, bytes, from, length);
        },
      },
    });
  });
  afterEach(async () => {
    await journal.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('are those of held requests, in their order', async () => {
    for (const holdId of ['a', null, 'b']) end(holdId);
    expect(await read()).toEqual(['a', 'b']);
  });

  it('are there once while a full disk has not taken them, and after it has', async () => {
    end('a');
    isFull = true;
    for (const holdId of ['b', null, 'c']) end(holdId);
    expect(await read()).toEqual(['a', 'b', 'c']);
    isFull = false;
    while (!journal.isAccepting) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await read()).toEqual(['a', 'b', 'c']);
  });
});
