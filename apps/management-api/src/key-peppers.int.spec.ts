import { createKeyDigests, createKeyPeppers, generateApiKey, pepperVersion, type KeyPeppers, type KeyRecord } from '@weir/access';
import { createKeyDirectory } from '@weir/database';
import { PEPPER } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';
import { createApiKeySecret, keepPreviousSecret } from './records/api-key-secret';
import { seedFirstKey } from './seed-first-key';

const suite = useManagement();
const NEW = 'the pepper that comes, of 32 characters or more';
const BOTH = createKeyPeppers(NEW, PEPPER);
const STAGES: readonly KeyPeppers[] = [{ current: PEPPER }, BOTH, { current: NEW }];

function find(key: string, peppers: KeyPeppers): Promise<KeyRecord | undefined> {
  return createKeyDirectory(suite.harness.database.pool).findByDigest(createKeyDigests(peppers)(key));
}

describe('while one pepper takes the place of another', () => {
  it('a new key opens for processes that have only one of the two', async () => {
    const { secret, stored } = createApiKeySecret({ peppers: BOTH });
    const { prisma } = suite.harness.database;
    await prisma.apiKey.create({ data: { organizationId: suite.ours.id, name: 'new', ...stored } });

    for (const peppers of STAGES) expect((await find(secret, peppers))?.name).toBe('new');
    expect(stored.pepperVersion).toBe(pepperVersion(NEW));
  });

  it('a rotated secret is kept as every process finds it, and says which pepper it hangs on', () => {
    const { stored } = createApiKeySecret({ peppers: BOTH });
    const endsAt = new Date();

    expect(keepPreviousSecret(stored, BOTH, endsAt)).toEqual({
      previousHash: stored.formerHash,
      previousPepperVersion: pepperVersion(PEPPER),
      previousHashExpiresAt: endsAt,
    });
    expect(keepPreviousSecret(stored, { current: NEW }, endsAt)).toMatchObject({
      previousHash: stored.hash,
      previousPepperVersion: pepperVersion(NEW),
    });
  });

  it('a secret that is rotated by a process which has only the pepper before is kept as that process finds it', () => {
    const { stored } = createApiKeySecret({ peppers: BOTH });
    expect(keepPreviousSecret(stored, { current: PEPPER }, new Date())).toMatchObject({
      previousHash: stored.formerHash,
      previousPepperVersion: pepperVersion(PEPPER),
    });
  });

  it('what was kept under a pepper that is gone since is not taken for the one before', () => {
    const { stored } = createApiKeySecret({ peppers: createKeyPeppers(PEPPER, 'a pepper of long ago, of 32 characters or more') });
    expect(keepPreviousSecret(stored, BOTH, new Date())).toMatchObject({
      previousHash: stored.hash,
      previousPepperVersion: pepperVersion(PEPPER),
    });
  });

  it('a secret that moved to a pepper which was given up is kept as those find it that have another', () => {
    const { stored } = createApiKeySecret({ peppers: BOTH });
    const onward = createKeyPeppers('the pepper after the one that was given up', PEPPER);
    expect(keepPreviousSecret(stored, onward, new Date())).toMatchObject({
      previousHash: stored.formerHash,
      previousPepperVersion: pepperVersion(PEPPER),
    });
  });
});

describe('the first key, which stands in the settings', () => {
  const seed = (key: string, peppers: KeyPeppers = { current: PEPPER }) => seedFirstKey(suite.harness.database, key, peppers);

  it('is not made again when it was rotated since, nor when it was revoked, whichever pepper comes', async () => {
    const key = generateApiKey('test');
    const { apiKeyId, isNew } = await seed(key);
    expect(isNew).toBe(true);
    const rotated = await suite.harness.call('POST', `/v1/manage/apikey/${apiKeyId}/rotate`, { key, body: {} });
    const second = String((rotated.json as { api_key?: string }).api_key);
    await suite.harness.call('POST', `/v1/manage/apikey/${apiKeyId}/rotate`, { key: second, body: {} });

    for (const peppers of STAGES) expect(await seed(key, peppers)).toMatchObject({ apiKeyId, isNew: false });
    for (const peppers of STAGES) expect(await find(key, peppers)).toBeUndefined();
  });

  it('is made under both, and known again under the new one alone', async () => {
    const key = generateApiKey('test');
    const { apiKeyId } = await seed(key, BOTH);
    for (const peppers of STAGES) expect((await find(key, peppers))?.apiKeyId).toBe(apiKeyId);
    expect(await seed(key, { current: NEW })).toMatchObject({ apiKeyId, isNew: false });
  });
});
