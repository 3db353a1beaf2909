import { makeKeyRecord } from '@weir/testing';
import { createOrganizationRulesCache } from './organization-rules-cache';
import { createMemoryChangeNotices } from './ports/change-notices';
import type { ConfigChange } from './ports/key-directory';
import type { OrganizationRules } from './ports/organization-rules';
import { watchChanges } from './watch-changes';

const rulesOf = (name: string): OrganizationRules => ({
  policies: [{ id: name, name, version: 1, document: {} }],
  aliases: [],
  guardrails: [],
  limits: [],
  credentials: [],
});

const CALLER = makeKeyRecord({ organizationId: 'o' });
const STRICT = makeKeyRecord({ organizationId: 'o' }, { isStrict: true });

function open() {
  let [nowMs, reads, isDown, current] = [0, 0, false, 'first'];
  const cache = createOrganizationRulesCache({
    directory: {
      findRules: async () => {
        reads += 1;
        const name = current;
        await Promise.resolve();
        if (isDown) throw new Error('down');
        return rulesOf(name);
      },
    },
    now: () => nowMs,
  });
  return {
    cache,
    reads: () => reads,
    advance: (milliseconds: number) => (nowMs += milliseconds),
    setDown: (down: boolean) => (isDown = down),
    change: (name: string) => (current = name),
    nameNow: async () => (await cache.find(CALLER)).policies[0]?.name,
  };
}

describe('the cache of rules', () => {
  it('reads once for all that ask at the same time, and then returns the same record at once', async () => {
    const { cache, reads } = open();
    const [one, two] = await Promise.all([cache.find(CALLER), cache.find(CALLER)]);
    expect([reads(), one === two, cache.find(CALLER) === one]).toEqual([1, true, true]);
  });

  it('serves on for 15 minutes while the store is away, and refuses what it never knew', async () => {
    const { cache, setDown, advance, nameNow } = open();
    await nameNow();
    setDown(true);
    advance(14 * 60_000);
    expect(await nameNow()).toBe('first');
    await expect(Promise.resolve(cache.find(makeKeyRecord({ organizationId: 'other' })))).rejects.toMatchObject({
      code: 'dependency_down',
    });
    advance(60_000);
    await expect(nameNow()).rejects.toMatchObject({ code: 'dependency_down' });
  });

  it('serves on for 60 seconds where the organization is strict, and what it forgets it forgets for both', async () => {
    const { cache, setDown, advance, reads } = open();
    await cache.find(STRICT);
    setDown(true);
    advance(59_000);
    expect(cache.find(STRICT)).toEqual(rulesOf('first'));
    advance(1_000);
    await expect(Promise.resolve(cache.find(STRICT))).rejects.toMatchObject({ code: 'dependency_down' });
    setDown(false);
    await Promise.all([cache.find(STRICT), cache.find(CALLER)]);
    const before = reads();
    cache.forget('o');
    await Promise.all([cache.find(STRICT), cache.find(CALLER)]);
    expect(reads()).toBe(before + 2);
  });

  it('never keeps what was read before a change, and lets no one wait for that', async () => {
    const { cache, change, nameNow } = open();
    const before = Promise.resolve(cache.find(CALLER));
    change('second');
    cache.forget('o');
    expect(await nameNow()).toBe('second');
    expect((await before).policies[0]?.name).toBe('first');
    expect(await nameNow()).toBe('second');
  });

  it.each(['policy', 'alias', 'guardrail', 'limit', 'provider-credential'] as const)(
    'forgets the rules after a changed %s',
    async (entity) => {
      const { cache, change, nameNow } = open();
      const changes: ConfigChange[] = [];
      const notices = createMemoryChangeNotices();
      const forgotten: string[] = [];
      const stop = await watchChanges({
        changeLog: {
          latestSequence: () => Promise.resolve(0n),
          changesAfter: (sequence) => Promise.resolve(changes.filter((one) => one.sequence > sequence)),
        },
        notices,
        cache: {
          find: () => undefined,
          forget: (id) => void forgotten.push(id),
          forgetUnknown: () => undefined,
          forgetAll: () => undefined,
        },
        rules: cache,
        onError: () => undefined,
      });
      await nameNow();
      change('second');
      changes.push({ sequence: 1n, entity, entityId: 'rule', organizationId: 'o' });
      await notices.notify();
      await stop();
      expect(await nameNow()).toBe('second');
      expect(forgotten).toEqual([]);
    },
  );
});
