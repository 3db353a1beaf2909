import { createMemoryChangeNotices } from './ports/change-notices';
import type { ConfigChange } from './ports/key-directory';
import { watchChanges } from './watch-changes';

describe('a notice', () => {
  function openLog() {
    const changes: ConfigChange[] = [];
    const forgotten: string[] = [];
    const errors: unknown[] = [];
    let [isAway, reads] = [false, 0];
    const notices = createMemoryChangeNotices();
    const started = watchChanges({
      changeLog: {
        latestSequence: () => Promise.resolve(0n),
        changesAfter: async (sequence) => {
          reads += 1;
          const found = changes.filter((change) => change.sequence > sequence);
          if (isAway) throw new Error('away');
          await new Promise((resolve) => setImmediate(resolve));
          return found;
        },
      },
      ...{ notices, onError: (error: unknown) => void errors.push(error) },
      cache: {
        find: () => undefined,
        forget: (id: string) => void forgotten.push(id),
        forgetUnknown: () => undefined,
        forgetAll: () => undefined,
      },
    });
    const log = (entityId: string) =>
      changes.push({ sequence: BigInt(changes.length + 1), entity: 'api-key', entityId, organizationId: 'org' });
    return { notices, started, log, forgotten, errors, reads: () => reads, setAway: (away: boolean) => (isAway = away) };
  }

  it('is taken in when what was logged before it is forgotten, also while the log is being read', async () => {
    const { notices, started, log, forgotten, reads } = openLog();
    const stop = await started;
    log('one');
    const first = notices.notify();
    log('two'); // after the log was looked at
    await notices.notify();
    expect(forgotten).toEqual(['one', 'two']);
    await first;

    const before = reads();
    const many = [notices.notify(), notices.notify(), notices.notify(), notices.notify()];
    log('three');
    await Promise.all(many);
    await notices.notify();
    expect(forgotten).toEqual(['one', 'two', 'three']);
    expect(reads() - before).toBeLessThanOrEqual(5);
    await stop();
  });

  it('is not taken in while the log cannot be read, and what follows is', async () => {
    const { notices, started, log, forgotten, errors, setAway } = openLog();
    const stop = await started;
    log('one');
    setAway(true);
    await expect(Promise.all([notices.notify(), notices.notify()])).rejects.toThrow('away');
    setAway(false);
    await notices.notify();
    expect([forgotten, errors.length > 0]).toEqual([['one'], true]);
    await stop();
  });
});
