import fc from 'fast-check';
import { createKeyRing, createVault, type DataKeyStore, type SealedSecret, type WrappedDataKey } from '.';

const OLD = 'an old key-encryption key of 32 or more characters';
const NEW = 'a new key-encryption key of 32 or more characters';
const text = fc.string({ unit: 'binary', maxLength: 300 });
const place = fc.record({ organizationId: fc.uuid(), recordId: fc.uuid(), version: fc.nat() });

type Rows = Map<string, WrappedDataKey>;

function createStore(rows: Rows = new Map()): DataKeyStore {
  return {
    ensureActive: (organizationId, offer) => {
      const found = [...rows.values()].find((row) => row.organizationId === organizationId) ?? offer();
      rows.set(found.id, found);
      return Promise.resolve(found);
    },
    find: (organizationId, id) => {
      const found = rows.get(id);
      return Promise.resolve(found?.organizationId === organizationId ? found : undefined);
    },
  };
}

function createTestVault(rows?: Rows, setting = OLD) {
  return createVault({ keyRing: createKeyRing(setting), store: createStore(rows) });
}

function flip(bytes: Buffer, position: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[position % bytes.length] = (changed[position % bytes.length] as number) ^ 1;
  return changed;
}

describe('a sealed secret', () => {
  it('opens where it was sealed, to exactly what it was, and shows nothing of it before', async () => {
    const vault = createTestVault();
    await fc.assert(
      fc.asyncProperty(text, place, async (secret, at) => {
        const sealed = await vault.seal(secret, at);

        expect(await vault.open(sealed, at)).toBe(Buffer.from(secret).toString());
        const plain = Buffer.from(secret);
        if (plain.length >= 8)
          expect(Buffer.concat([sealed.ciphertext, sealed.nonce, sealed.tag, sealed.fingerprint]).includes(plain)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('opens nowhere else: not in another organization, not in another row, not as another version', async () => {
    const vault = createTestVault();
    await fc.assert(
      fc.asyncProperty(text, place, place, async (secret, at, other) => {
        const sealed = await vault.seal(secret, at);
        await vault.seal('so that the other organization has a data key', other);

        for (const field of ['organizationId', 'recordId', 'version'] as const) {
          if (other[field] === at[field]) continue;
          await expect(vault.open(sealed, { ...at, [field]: other[field] })).rejects.toThrow();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not open once a single bit of it has changed', async () => {
    const vault = createTestVault();
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 100 }), place, fc.nat(), async (secret, at, position) => {
        const sealed = await vault.seal(secret, at);

        for (const part of ['ciphertext', 'nonce', 'tag'] as const) {
          await expect(vault.open({ ...sealed, [part]: flip(sealed[part], position) }, at)).rejects.toThrow();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is never sealed the same way twice, yet has the same fingerprint within its organization only', async () => {
    const vault = createTestVault();
    const at = { organizationId: 'a', recordId: 'r', version: 1 };
    const [one, two] = [await vault.seal('secret', at), await vault.seal('secret', { ...at, recordId: 's' })];
    const elsewhere = await vault.seal('secret', { ...at, organizationId: 'b' });

    expect(one.ciphertext.equals(two.ciphertext)).toBe(false);
    expect(one.fingerprint.equals(two.fingerprint)).toBe(true);
    expect(one.fingerprint.equals(elsewhere.fingerprint)).toBe(false);
    expect(one.fingerprint.equals((await vault.seal('Secret', at)).fingerprint)).toBe(false);
  });
});

describe('key-encryption keys', () => {
  const at = { organizationId: 'a', recordId: 'r', version: 1 };

  async function sealUnderOld(): Promise<{ rows: Rows; sealed: SealedSecret }> {
    const rows: Rows = new Map();
    return { rows, sealed: await createTestVault(rows).seal('secret', at) };
  }

  it('change while both are set: everything opens before, during and after, and the old one is needed no more', async () => {
    const { rows, sealed } = await sealUnderOld();
    const both = createKeyRing(`${NEW}, ${OLD}`);

    expect(await createTestVault(rows, `${NEW},${OLD}`).open(sealed, at)).toBe('secret');
    for (const [id, row] of rows) rows.set(id, both.rewrap(row));
    expect(await createTestVault(rows, NEW).open(sealed, at)).toBe('secret');
    await expect(createTestVault(rows, OLD).open(sealed, at)).rejects.toMatchObject({ code: 'dependency_down' });
    const [row] = rows.values();
    expect(row === undefined ? undefined : both.rewrap(row)).toBe(row);
  });

  it('open nothing that they did not wrap, nor what was wrapped for another organization', async () => {
    const { rows, sealed } = await sealUnderOld();
    const [row] = rows.values();
    const moved = { ...(row as WrappedDataKey), organizationId: 'b' };

    await expect(createTestVault(rows, NEW).open(sealed, at)).rejects.toMatchObject({ code: 'dependency_down' });
    expect(() => createKeyRing(OLD).unwrap(moved)).toThrow();
    expect(createKeyRing(OLD).unwrap(row as WrappedDataKey)).toHaveLength(32);
  });

  it('have to be long enough, each of them', () => {
    expect(() => createKeyRing('short')).toThrow('32 characters');
    expect(() => createKeyRing(`${NEW},`)).toThrow('32 characters');
  });
});

it('forgets an unwrapped data key after `cachedMs`', async () => {
  jest.useFakeTimers();
  const rows: Rows = new Map();
  const vault = createVault({ keyRing: createKeyRing(OLD), store: createStore(rows), cachedMs: 1000 });
  const at = { organizationId: 'a', recordId: 'r', version: 1 };
  const sealed = await vault.seal('secret', at);
  rows.clear();

  expect(await vault.open(sealed, at)).toBe('secret');
  jest.advanceTimersByTime(1001);
  await expect(vault.open(sealed, at)).rejects.toThrow('no data key');
  jest.useRealTimers();
});

describe('sealed bytes', () => {
  it('open for their organization and name only, and neither as a secret nor changed', async () => {
    const vault = createTestVault();
    const sealer = await vault.openSealer('ours');
    const sealed = sealer.seal(Buffer.from('what somebody asked'), 'request-1');
    const whole = { organizationId: 'ours', name: 'request-1', dataKeyId: sealer.dataKeyId, sealed };
    await vault.openSealer('theirs');

    expect((await vault.openBytes(whole)).toString()).toBe('what somebody asked');
    expect(sealed.includes('somebody')).toBe(false);
    for (const other of [{ name: 'request-2' }, { organizationId: 'theirs' }, { sealed: flip(sealed, 40) }, { dataKeyId: 'none' }])
      await expect(vault.openBytes({ ...whole, ...other })).rejects.toThrow();
    const place = { organizationId: 'ours', recordId: 'request-1', version: 1 };
    const secret = await vault.seal('a provider’s key', place);
    const packed = Buffer.concat([secret.nonce, secret.tag, secret.ciphertext]);
    await expect(vault.openBytes({ ...whole, sealed: packed })).rejects.toThrow();
  });
});
