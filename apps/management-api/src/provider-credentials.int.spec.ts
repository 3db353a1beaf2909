import { createDataKeyStore, createOrganizationRules, reencryptSecrets } from '@weir/database';
import { createKeyRing, createVault, type Vault } from '@weir/sealing';
import { createMaker } from './__fixtures__/maker';
import { SEALING_KEY } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();
const NEW_KEY = 'another sealing key of the tests with 32 characters';

function createTestVault(setting = SEALING_KEY): Vault {
  return createVault({ keyRing: createKeyRing(setting), store: createDataKeyStore(suite.harness.database.pool) });
}

/** As the edge opens it, with nothing remembered. */
async function open(id: string, { organizationId = suite.ours.id, vault = createTestVault() } = {}): Promise<unknown> {
  const { credentials } = await createOrganizationRules(suite.harness.database.pool).findRules(organizationId);
  const found = credentials.find((credential) => credential.id === id);
  if (found === undefined) throw new Error(`no credential ${id}`);
  return JSON.parse(await vault.open(found, { organizationId, recordId: id, version: found.version }));
}

async function swap(one: string, two: string, columns: string): Promise<void> {
  const set = columns.split(', ').map((column) => `${column} = b.${column}`);
  await suite.harness.database.pool.query(
    `update provider_credential a set ${set.join(', ')} from provider_credential b where (a.id, b.id) in (($1, $2), ($2, $1))`,
    [one, two],
  );
}

describe('provider credentials', () => {
  it('are sealed, and open to exactly the fields that were given', async () => {
    const fields = { access_id: 'id-of-mine', access_secret: 'secret-of-mine-0123456789' };
    const { json } = await suite.send('POST', '/v1/manage/provider-credential', { provider: 'cloud', fields, mode: 'only' });
    const id = String(json['id']);

    expect(await open(id)).toEqual(fields);
    expect((await suite.get('/v1/manage/provider-credential'))['provider_credentials']).toEqual([
      {
        id,
        provider: 'cloud',
        name: 'cloud',
        mode: 'only',
        last4: '6789',
        version: 1,
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      },
    ]);
    expect(await suite.changes()).toContain(`provider-credential ${id}`);
    expect((await suite.get('/v1/manage/audit?limit=1'))['audit']).toMatchObject([{ before: null, after: { last4: '6789' } }]);
  });

  it('show no end of a secret so short that the end would be much of it', async () => {
    const id = await suite.make.credential({ api_key: 'short-secret' });

    expect((await suite.get(`/v1/manage/provider-credential/${id}`))['provider_credential']).toMatchObject({ last4: '' });
  });

  it('do not open once rows are swapped: within an organization, between two, with their data keys and without', async () => {
    const [one, two] = [await suite.make.credential(), await suite.make.credential()];
    const elsewhere = await suite.seedOther();
    const three = await createMaker(suite.harness, elsewhere).credential();
    const sealed = 'ciphertext, nonce, tag';
    const works = async (): Promise<unknown[]> => [await open(one), await open(two), await open(three, { organizationId: elsewhere.id })];
    const before = await works();

    for (const [with_, columns] of [
      [two, sealed],
      [three, sealed],
      [three, `${sealed}, dek_id`],
      [three, `${sealed}, dek_id, version`],
      [two, `${sealed}, fingerprint, last4`],
    ] as const) {
      await swap(one, with_, columns);
      await expect(open(one)).rejects.toThrow();
      await swap(one, with_, columns);
    }
    // Moving the row itself changes what it is bound to as well.
    await suite.harness.database.pool.query('update provider_credential set organization_id = $2 where id = $1', [one, elsewhere.id]);
    await expect(open(one, { organizationId: elsewhere.id })).rejects.toThrow();
    await suite.harness.database.pool.query('update provider_credential set organization_id = $2 where id = $1', [one, suite.ours.id]);
    // An older version cannot be put back under the new number.
    await suite.harness.database.pool.query('update provider_credential set version = version + 1 where id = $1', [two]);
    await expect(open(two)).rejects.toThrow();
    await suite.harness.database.pool.query('update provider_credential set version = version - 1 where id = $1', [two]);

    expect(await works()).toEqual(before);
  });

  it('rotate under the same id; of two rotations at once one wins and the secret is whole', async () => {
    const id = await suite.make.credential();
    const rotate = (api_key: string) => suite.send('POST', `/v1/manage/provider-credential/${id}/rotate`, { api_key });

    expect((await rotate('second-secret-0123')).json['provider_credential']).toMatchObject({ id, last4: '0123', version: 2 });
    const replies = await Promise.all(['third-secret-4567', 'fourth-secret-8901'].map(rotate));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { last4 } = (await suite.get(`/v1/manage/provider-credential/${id}`))['provider_credential'];
    expect(JSON.stringify(await open(id))).toContain(`${String(last4)}"`);
  });

  it('are tested with what is stored, and a no never repeats the secret', async () => {
    const good = await suite.make.credential();
    const bad = await suite.make.credential({ api_key: 'refused-secret-012345' });

    expect((await suite.send('POST', `/v1/manage/provider-credential/${good}/test`)).json).toEqual({ ok: true });
    expect((await suite.send('POST', `/v1/manage/provider-credential/${bad}/test`)).json).toEqual({
      ok: false,
      why: 'the key *** is not valid',
    });
  });

  it('stay open to everybody while keys change, and then need the old key no more', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => suite.make.credential()));
    const secrets = await Promise.all(ids.map((id) => open(id)));
    const { pool } = suite.harness.database;
    const both = `${NEW_KEY},${SEALING_KEY}`;
    let isRunning = true;
    let opened = 0;
    const readers = [both, both].map(async (setting) => {
      while (isRunning) {
        const at = opened % ids.length;
        expect(await open(ids[at] as string, { vault: createTestVault(setting) })).toEqual(secrets[at]);
        opened += 1;
      }
    });

    const rewrapped = await reencryptSecrets({ pool, keyRing: createKeyRing(both) });
    const renewed = await reencryptSecrets({ pool, keyRing: createKeyRing(both), renewDataKeys: true });
    isRunning = false;
    await Promise.all(readers);

    expect(opened).toBeGreaterThan(0);
    expect(rewrapped).toMatchObject({ renewed: 0, resealed: 0 });
    expect(rewrapped.rewrapped).toBeGreaterThanOrEqual(1);
    expect(renewed.resealed).toBeGreaterThanOrEqual(8);
    expect(await Promise.all(ids.map((id) => open(id, { vault: createTestVault(NEW_KEY) })))).toEqual(secrets);
    await expect(open(ids[0] as string, { vault: createTestVault(SEALING_KEY) })).rejects.toMatchObject({ code: 'dependency_down' });
    expect(await reencryptSecrets({ pool, keyRing: createKeyRing(NEW_KEY) })).toEqual({ rewrapped: 0, renewed: 0, resealed: 0 });
    // The suites that follow need the old key again.
    await reencryptSecrets({ pool, keyRing: createKeyRing(`${SEALING_KEY},${NEW_KEY}`) });
  });
});
