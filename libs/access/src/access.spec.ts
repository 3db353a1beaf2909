import type { GatewayError } from '@weir/errors';
import { makeKeyRecord } from '@weir/testing';
import { createApiKeyDigest, digestApiKey, generateApiKey, isPlausibleApiKey } from './api-key-format';
import { createAuthenticator } from './authenticate-key';
import { createModelGuard } from './check-model-allowed';
import { checkPermission } from './check-permission';
import { createKeyCache } from './key-cache';
import { createMemoryChangeNotices } from './ports/change-notices';
import type { ConfigChange } from './ports/key-directory';
import type { KeyRecord, ModelPatterns } from './ports/principal';
import { readCredential } from './read-credential';
import { watchChanges } from './watch-changes';

const NONE: ModelPatterns = { chat: [], embedding: [], image: [], speech: [], transcription: [] };

function guardedHarness(records: Map<string, KeyRecord>) {
  let nowMs = 1_000_000;
  let reads = 0;
  let isDown = false;
  const cache = createKeyCache({
    directory: {
      findByDigest: (digest) => {
        reads += 1;
        return isDown ? Promise.reject(new Error('down')) : Promise.resolve(records.get(digest.toString('base64')));
      },
    },
    now: () => nowMs,
  });
  const digest = (key: string) => digestApiKey(key, 'pepper');
  return {
    cache,
    authenticator: createAuthenticator({ cache, digest, now: () => nowMs }),
    advance: (ms: number) => (nowMs += ms),
    setDown: (down: boolean) => (isDown = down),
    reads: () => reads,
  };
}

const key = generateApiKey('live');
const digestOf = (text: string) => digestApiKey(text, 'pepper').toString('base64');
const failure = (code: string) => expect.objectContaining({ code }) as GatewayError;

describe('API keys', () => {
  it('carry a checksum that rejects typing errors without a look-up', () => {
    expect(key).toMatch(/^weir_live_[0-9A-Za-z]{36}$/);
    expect(isPlausibleApiKey(key)).toBe(true);
    const typo = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
    expect(isPlausibleApiKey(typo)).toBe(false);
    expect(isPlausibleApiKey('an-operators-own-bootstrap-key')).toBe(true);
    expect(isPlausibleApiKey('weir_looks_like_ours_but_is_not')).toBe(true);
    expect(isPlausibleApiKey('short')).toBe(false);
  });
});

describe('the quick digest', () => {
  it.each(['short', 'p'.repeat(64), 'a pepper longer than a block of the hash '.repeat(3)])('is the plain one under %j', (pepper) => {
    const digest = createApiKeyDigest(pepper);
    const keys = [generateApiKey('live'), 'x'.repeat(512), 'x'.repeat(513), '\uffff'.repeat(512), 'schl\u00fcssel', ''];

    for (const each of [...keys, ...keys.reverse()]) expect(digest(each)).toEqual(digestApiKey(each, pepper));
  });
});

describe('readCredential', () => {
  it.each([
    [{ authorization: 'Bearer b' }, 'bearer', 'b'],
    [{ 'x-api-key': 'x' }, 'bearer', 'x'],
    [{ authorization: 'Bearer b', 'x-api-key': 'x' }, 'bearer', 'b'],
    [{ authorization: 'bearer b', 'x-api-key': 'x' }, 'x-api-key', 'x'],
    [{ authorization: 'Bearer ' }, 'bearer', undefined],
    [{ authorization: 'Basic abc', 'x-api-key': ' ' }, 'bearer', undefined],
  ] as const)('%j preferring %s gives %s', (headers, preferred, expected) => {
    expect(readCredential(headers, preferred)).toBe(expected);
  });
});

describe('the authenticator', () => {
  it('returns at once, without a look-up, for a key it knows', async () => {
    const harness = guardedHarness(new Map([[digestOf(key), makeKeyRecord()]]));

    await harness.authenticator.authenticate(key);
    const again = harness.authenticator.authenticate(key);

    expect(again).not.toBeInstanceOf(Promise);
    expect(harness.reads()).toBe(1);
  });

  it('distinguishes missing credentials from invalid ones, and nothing more', async () => {
    const revoked = generateApiKey('live');
    const expired = generateApiKey('live');
    const harness = guardedHarness(
      new Map([
        [digestOf(revoked), makeKeyRecord({ status: 'revoked' })],
        [digestOf(expired), makeKeyRecord({ expiresAtMs: 999_999 })],
      ]),
    );

    expect(() => harness.authenticator.authenticate(undefined)).toThrow(failure('missing_credentials'));
    expect(() => harness.authenticator.authenticate(`weir_live_${'0'.repeat(36)}`)).toThrow(failure('invalid_credentials'));
    const messages = await Promise.all(
      [revoked, expired, generateApiKey('live')].map(async (each) => {
        try {
          await harness.authenticator.authenticate(each);
          return 'accepted';
        } catch (error) {
          return `${(error as GatewayError).code}: ${(error as GatewayError).message}`;
        }
      }),
    );
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toMatch(/^invalid_credentials: /);
  });

  it('serves known keys while the directory is down, for 15 minutes, and unknown ones as 503', async () => {
    const harness = guardedHarness(new Map([[digestOf(key), makeKeyRecord()]]));
    await harness.authenticator.authenticate(key);
    harness.setDown(true);

    harness.advance(14 * 60_000);
    expect(harness.authenticator.authenticate(key)).toEqual({ key: makeKeyRecord() });
    await expect(harness.authenticator.authenticate(generateApiKey('live'))).rejects.toThrow(failure('dependency_down'));
    harness.advance(60_000);
    await expect(harness.authenticator.authenticate(key)).rejects.toThrow(failure('dependency_down'));
  });

  it('serves keys of a strict organization for 60 seconds while the directory is down, and then 503 with a time to try again', async () => {
    const strict = makeKeyRecord({}, { isStrict: true });
    const harness = guardedHarness(new Map([[digestOf(key), strict]]));
    await harness.authenticator.authenticate(key);
    harness.setDown(true);

    harness.advance(59_999);
    expect(harness.authenticator.authenticate(key)).toEqual({ key: strict });
    harness.advance(1);
    await expect(harness.authenticator.authenticate(key)).rejects.toThrow(failure('dependency_down'));
    harness.setDown(false);
    expect(await harness.authenticator.authenticate(key)).toEqual({ key: strict });
  });

  it('takes as long for a key that is unknown as for one that is revoked', async () => {
    const revoked = generateApiKey('live');
    const harness = guardedHarness(new Map([[digestOf(revoked), makeKeyRecord({ status: 'revoked' })]]));
    const timeOf = async (credential: string): Promise<number> => {
      const startedAt = performance.now();
      try {
        await harness.authenticator.authenticate(credential);
      } catch {
        return performance.now() - startedAt;
      }
      throw new Error('it was accepted');
    };
    const unknown = generateApiKey('live');
    const times: [number, number][] = [];
    for (let round = 0; round < 10_000; round += 1) times.push([await timeOf(unknown), await timeOf(revoked)]);
    const medianOf = (at: 0 | 1): number => times.map((pair) => pair[at]).sort((one, other) => one - other)[times.length / 2] ?? Infinity;
    expect(Math.abs(medianOf(0) - medianOf(1))).toBeLessThan(0.2);
  });

  it('rejects an expired key from the cache without waiting for a change', async () => {
    const harness = guardedHarness(new Map([[digestOf(key), makeKeyRecord({ expiresAtMs: 1_005_000 })]]));
    await harness.authenticator.authenticate(key);

    harness.advance(5_000);

    expect(() => harness.authenticator.authenticate(key)).toThrow(failure('invalid_credentials'));
  });
});

describe('the key cache', () => {
  it('remembers only so many keys that no one has, and forgets none that somebody has for them', async () => {
    let reads = 0;
    const known = makeKeyRecord();
    const directory = {
      findByDigest: (digest: Buffer) => {
        reads += 1;
        return Promise.resolve(digest.toString() === 'known' ? known : undefined);
      },
    };
    const cache = createKeyCache({ directory, now: () => 0, entriesMax: 2, unknownMax: 3 });
    const find = (name: string) => cache.find(Buffer.from(name).toString('base64'));
    await find('known');
    for (let count = 0; count < 10; count += 1) await find(`made up ${count}`);

    expect([find('known'), reads]).toEqual([known, 11]);
    for (const count of [7, 8, 9]) expect(find(`made up ${count}`)).toBeUndefined();
    expect(reads).toBe(11);
    await find('made up 6');
    expect(reads).toBe(12);
    cache.forgetUnknown();
    await find('made up 9');
    expect([find('known'), reads]).toEqual([known, 13]);
  });
});

describe('a record that changed', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('is read anew at once, so that a directory that is away a moment later refuses no one', async () => {
    const records = new Map([[digestOf(key), makeKeyRecord()]]);
    const harness = guardedHarness(records);
    await harness.authenticator.authenticate(key);
    const changed = makeKeyRecord({ monthlyLimitPico: 5n });
    records.set(digestOf(key), changed);
    harness.cache.forget('key');
    await settle();
    harness.setDown(true);
    expect(harness.authenticator.authenticate(key)).toEqual({ key: changed });

    harness.setDown(false);
    records.set(digestOf(key), makeKeyRecord({ status: 'revoked' }));
    harness.cache.forget('org');
    await settle();
    harness.setDown(true);
    expect(() => harness.authenticator.authenticate(key)).toThrow(failure('invalid_credentials'));
  });

  it('is not returned as it was when it cannot be read anew', async () => {
    const harness = guardedHarness(new Map([[digestOf(key), makeKeyRecord()]]));
    await harness.authenticator.authenticate(key);
    harness.setDown(true);
    harness.cache.forget('key');
    await settle();
    await expect(harness.authenticator.authenticate(key)).rejects.toThrow(failure('dependency_down'));
  });

  it('is read again when something changes while it is read', async () => {
    const records = new Map([[digestOf(key), makeKeyRecord()]]);
    const harness = guardedHarness(records);
    await harness.authenticator.authenticate(key);
    records.set(digestOf(key), makeKeyRecord({ name: 'between' }));
    harness.cache.forget('key');
    const last = makeKeyRecord({ name: 'last' });
    records.set(digestOf(key), last);
    harness.cache.forget('key');
    await settle();
    harness.setDown(true);
    expect(harness.authenticator.authenticate(key)).toEqual({ key: last });
  });

  it('is one of a thousand that are read anew, of those that were read last', async () => {
    const read: string[] = [];
    const cache = createKeyCache({
      directory: {
        findByDigest: (digest) => {
          read.push(digest.toString());
          return Promise.resolve(makeKeyRecord());
        },
      },
      now: () => 0,
    });
    for (let count = 0; count < 1_200; count += 1) await cache.find(Buffer.from(`key ${count}`).toString('base64'));
    read.length = 0;
    cache.forget('org');
    while (read.length < 1_000) await settle();
    await settle();
    expect([read.length, read[0], new Set(read).has('key 199')]).toEqual([1_000, 'key 1199', false]);
  });
});

describe('watchChanges', () => {
  it('forgets a changed key on a notice, and by polling when notices are lost', async () => {
    const records = new Map([[digestOf(key), makeKeyRecord()]]);
    const harness = guardedHarness(records);
    const notices = createMemoryChangeNotices();
    const changes: ConfigChange[] = [];
    const stop = await watchChanges({
      changeLog: {
        latestSequence: () => Promise.resolve(0n),
        changesAfter: (sequence) => Promise.resolve(changes.filter((change) => change.sequence > sequence)),
      },
      notices,
      cache: harness.cache,
      onError: () => undefined,
      pollMs: 5,
    });
    await harness.authenticator.authenticate(key);

    records.set(digestOf(key), makeKeyRecord({ status: 'revoked' }));
    changes.push({ sequence: 1n, entity: 'api-key', entityId: 'key', organizationId: 'org' });
    await notices.notify();
    expect(() => harness.authenticator.authenticate(key)).toThrow(failure('invalid_credentials'));

    records.set(digestOf(key), makeKeyRecord());
    changes.push({ sequence: 2n, entity: 'access-list', entityId: 'list-1', organizationId: 'org' });
    while (harness.reads() < 3) {
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await harness.authenticator.authenticate(key);
      } catch {
        continue; // still the revoked record: the poll has not come round yet
      }
    }
    await stop();
    expect(await harness.authenticator.authenticate(key)).toEqual({ key: makeKeyRecord() });
  });
});

describe('checkPermission', () => {
  it.each([
    ['write', 'read', true],
    ['read', 'read', true],
    ['read', 'write', false],
    ['none', 'read', false],
  ] as const)('holding %s when %s is asked: %s', (held, level, allowed) => {
    const check = () =>
      checkPermission(
        { key: makeKeyRecord({ permissions: { manage: held, completions: 'none' } }) },
        { kind: 'manage', level, who: 'member' },
      );

    if (allowed) expect(check).not.toThrow();
    else expect(check).toThrow(failure('permission_denied'));
  });

  it('refuses keys of members who do not administer the organization what is for its administrators alone', () => {
    const check = (who: 'organization-admin' | 'group-admin' | 'member') => () => {
      const key = makeKeyRecord({ permissions: { manage: 'write', completions: 'none' }, isAdministrator: false });
      checkPermission({ key }, { kind: 'manage', level: 'read', who });
    };

    expect(check('organization-admin')).toThrow(failure('permission_denied'));
    expect(check('group-admin')).not.toThrow();
    expect(check('member')).not.toThrow();
  });
});

describe('the model guard', () => {
  const guard = createModelGuard((patterns) => (id) => patterns.includes(id));

  it('allows everything when no list is attached', () => {
    expect(guard.isAllowed({ key: makeKeyRecord() }, { modality: 'chat', id: 'a/b' })).toBe(true);
  });

  it('allows only what organization, group and key all allow, per modality', () => {
    const principal = {
      key: makeKeyRecord({
        groupAccessList: { ...NONE, chat: ['a/1', 'a/2'] },
        keyAccessList: { ...NONE, chat: ['a/2', 'a/3'] },
      }),
    };

    expect(['a/1', 'a/2', 'a/3'].filter((id) => guard.isAllowed(principal, { modality: 'chat', id }))).toEqual(['a/2']);
    expect(() => guard.check(principal, { modality: 'image', id: 'a/2' })).toThrow(failure('model_not_allowed'));
  });

  it('says which of the lists lacks the model, and whom to ask', () => {
    const some = { ...NONE, chat: ['a/1'] };
    const refusal = (lists: Parameters<typeof makeKeyRecord>[0], settings: Parameters<typeof makeKeyRecord>[1] = {}): string | undefined =>
      guard.refuse({ key: makeKeyRecord(lists, settings) }, { modality: 'chat', id: 'a/2' })?.message;

    expect(refusal({}, { approvedModels: some })).toBe(
      'This organization has not approved the model "a/2". Ask an administrator to add it to the organization\'s approved models.',
    );
    expect(refusal({ groupAccessList: some })).toBe(
      'The access list of this API key\'s group does not have the model "a/2". Ask an administrator to add it to that access list.',
    );
    expect(refusal({ keyAccessList: some })).toContain('The access list of this API key does not have the model "a/2".');
    expect(refusal({ keyAccessList: some }, { approvedModels: some })).toContain('has not approved');
  });

  it('allows what a named alias or policy leads to, by that name and in every list', () => {
    const named = { ...NONE, chat: ['policy/mine', 'team', 'a/*'] };
    const model = { modality: 'chat', id: 'b/1' } as const;
    const withKeyList = { key: makeKeyRecord({ keyAccessList: named }) };
    const withBoth = { key: makeKeyRecord({ keyAccessList: named, groupAccessList: { ...NONE, chat: ['policy/mine'] } }) };

    expect([['policy/mine'], ['team'], ['policy/other'], []].map((names) => guard.isAllowed(withKeyList, model, names))).toEqual([
      ...[true, true, false, false],
    ]);
    expect([['policy/mine'], ['team']].map((names) => guard.isAllowed(withBoth, model, names))).toEqual([true, false]);
  });

  it('takes a pattern for policies only where it begins as their names do', () => {
    const prefixed = createModelGuard((patterns) => (id) => patterns.some((one) => id.startsWith(one.replace(/\*.*$/, ''))));
    const allows = (pattern: string, name: string) =>
      prefixed.isAllowed({ key: makeKeyRecord({ keyAccessList: { ...NONE, chat: [pattern] } }) }, { modality: 'chat', id: 'b/1' }, [name]);

    expect([allows('policy/*', 'policy/mine'), allows('p*', 'policy/mine'), allows('te*', 'team')]).toEqual([true, false, false]);
  });
});
