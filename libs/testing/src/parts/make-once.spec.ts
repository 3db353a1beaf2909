import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTestFolder } from '../folders';
import { makeOnce } from './make-once';

describe('what real parts are made from', () => {
  let cache: string;
  let kept: string;
  let made: number;
  beforeEach(() => {
    cache = makeTestFolder('make-once');
    kept = join(cache, 'complete');
    made = 0;
  });

  const get = (make = (): void => writeFileSync(kept, '')): Promise<void> =>
    makeOnce({
      cache,
      name: 'part',
      isKept: () => existsSync(kept),
      make: async () => {
        made += 1;
        await pause(50);
        make();
      },
    });

  it('is made by the first who needs it, while the others wait until it is whole', async () => {
    const seen = await Promise.all([get(), get(), get()].map((getting) => getting.then(() => existsSync(kept))));
    expect([seen, made]).toEqual([[true, true, true], 1]);
    await get();
    expect(made).toBe(1);
  });

  it('is made by the next one after a failure', async () => {
    const failing = get(() => {
      throw new Error('no network');
    });
    const next = get();
    await expect(failing).rejects.toThrow('no network');
    await next;
    expect([existsSync(kept), made]).toEqual([true, 2]);
  });
});
