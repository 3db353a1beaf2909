import { createKeyDigests, createKeyPeppers, digestApiKey, generateApiKey, pepperVersion, type KeyRecord } from '@weir/access';
import { waitUntil } from '@weir/testing';
import { startTestDatabase, type TestDatabase } from './__fixtures__/test-database';
import { createKeyDirectory } from './keys/create-key-directory';
import { forgetFormerHashes, readPepperUse } from './keys/pepper-use';

const OLD = 'the pepper that goes, of 32 characters or more';
const NEW = 'the pepper that comes, of 32 characters or more';

let server: TestDatabase;
let organizationId: string;

beforeAll(async () => {
  server = await startTestDatabase();
  organizationId = (await server.database.prisma.organization.create({ data: { name: 'Acme' } })).id;
});
afterAll(() => server.stop());
beforeEach(() => server.database.prisma.apiKey.deleteMany());

/** A process with these peppers in its settings. */
function findAt(current: string, previous?: string): (key: string) => Promise<KeyRecord | undefined> {
  const peppers = createKeyPeppers(current, previous);
  const digests = createKeyDigests(peppers);
  return (key) => createKeyDirectory(server.database.pool, { peppers }).findByDigest(digests(key));
}

const before = findAt(OLD);
const during = findAt(NEW, OLD);
const after = findAt(NEW);

/** A key as it was stored when there was only the old pepper. Returns its secret. */
async function addKey(columns: Record<string, unknown> = {}): Promise<string> {
  const key = generateApiKey('test');
  const hash = new Uint8Array(digestApiKey(key, OLD));
  const data = { organizationId, name: 'key', prefix: 'weir', last4: 'wxyz', hash, ...columns };
  await server.database.prisma.apiKey.create({ data });
  return key;
}

function isRehashed(key: string): Promise<boolean> {
  const where = { hash: new Uint8Array(digestApiKey(key, NEW)) };
  return server.database.prisma.apiKey.count({ where }).then((count) => count === 1);
}

const useAt = (current: string, previous?: string) => readPepperUse(server.database.pool, createKeyPeppers(current, previous));

const waiting = async (): Promise<number> =>
  (await useAt(NEW, OLD))
    .filter(({ version }) => version !== pepperVersion(NEW))
    .reduce((sum, { keys, overlaps }) => sum + keys + overlaps, 0);

test('a key moves to the new pepper when it is first used, and processes of every stage find it at every moment', async () => {
  const [used, idle] = [await addKey(), await addKey({ pepperVersion: pepperVersion(OLD) })];
  expect(await waiting()).toBe(2);
  expect(await after(used)).toBeUndefined();

  const found = await Promise.all(Array.from({ length: 20 }, () => during(used)));
  for (const record of found) expect(record?.status).toBe('active');
  await waitUntil('the key is stored under the new pepper', () => isRehashed(used));

  for (const find of [before, during, after]) expect((await find(used))?.apiKeyId).toBe(found[0]?.apiKeyId);
  expect(await waiting()).toBe(1);

  await forgetFormerHashes(server.database.pool, pepperVersion(NEW));
  expect((await Promise.all([before, during, after].map((find) => find(used)))).map((record) => record?.status)).toEqual([
    undefined,
    'active',
    'active',
  ]);
  expect((await before(idle))?.status).toBe('active');
});

test('what is revoked or expired is found as such, and does not move', async () => {
  const revoked = await addKey({ status: 'revoked' });
  const expired = await addKey({ expiresAt: new Date(Date.now() - 1) });

  expect((await during(revoked))?.status).toBe('revoked');
  expect((await during(expired))?.expiresAtMs).toBeLessThan(Date.now());

  const fresh = await addKey();
  await during(fresh);
  await waitUntil('the key is stored under the new pepper', () => isRehashed(fresh));
  expect([await isRehashed(revoked), await isRehashed(expired), await waiting()]).toEqual([false, false, 0]);
});

test('a secret in its overlap is found under either pepper until the overlap ends, and counts as waiting until then', async () => {
  const overlapping = generateApiKey('test');
  const ends = new Date(Date.now() + 60_000);
  const previousHash = new Uint8Array(digestApiKey(overlapping, OLD));
  const key = await addKey({ previousHash, previousHashExpiresAt: ends, previousPepperVersion: pepperVersion(OLD) });

  expect((await during(overlapping))?.expiresAtMs).toBe(ends.getTime());
  await during(key);
  await waitUntil('the key is stored under the new pepper', () => isRehashed(key));
  expect((await during(key))?.expiresAtMs).toBeNull();
  expect((await before(key))?.expiresAtMs).toBeNull();
  expect(await waiting()).toBe(1);
  await server.database.prisma.apiKey.updateMany({ data: { previousHashExpiresAt: new Date(Date.now() - 1) } });
  expect([await waiting(), await during(overlapping)]).toEqual([0, undefined]);
});

test('a secret that was rotated by a version which knows no former digests is found by none', async () => {
  const rotated = await addKey();
  await during(rotated);
  await waitUntil('the key is stored under the new pepper', () => isRehashed(rotated));
  const hash = new Uint8Array(digestApiKey(generateApiKey('test'), OLD));
  await server.database.prisma.apiKey.updateMany({ data: { hash, pepperVersion: 1 } });

  expect(await Promise.all([before, during, after].map((find) => find(rotated)))).toEqual([undefined, undefined, undefined]);
});

test('a key that moved to a pepper which was given up hangs on the one that still finds it, and moves on from there', async () => {
  const third = 'the pepper after the one that was given up';
  const key = await addKey({ pepperVersion: pepperVersion(OLD) });
  await during(key);
  await waitUntil('the key is stored under the new pepper', () => isRehashed(key));
  const isUnder = (pepper: string) => [{ version: pepperVersion(pepper), keys: 1, overlaps: 0, lastOverlapEndsAt: null }];

  expect((await before(key))?.status).toBe('active');
  expect(await Promise.all([useAt(OLD), useAt(NEW), useAt(NEW, OLD), useAt(third, OLD)])).toEqual([OLD, NEW, NEW, OLD].map(isUnder));

  const found = await Promise.all(Array.from({ length: 20 }, () => findAt(third, OLD)(key)));
  for (const record of found) expect(record?.status).toBe('active');
  await waitUntil('the key is stored under the third pepper', async () => (await useAt(third))[0]?.version === pepperVersion(third));
  for (const find of [before, findAt(third, OLD), findAt(third)]) expect((await find(key))?.apiKeyId).toBe(found[0]?.apiKeyId);
  expect([await after(key), await useAt(OLD)]).toEqual([undefined, isUnder(OLD)]);
  await forgetFormerHashes(server.database.pool, pepperVersion(third));
  expect([await before(key), await useAt(OLD)]).toEqual([undefined, isUnder(third)]);
});
