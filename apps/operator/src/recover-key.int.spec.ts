import { createKeyPeppers, digestApiKey } from '@weir/access';
import { createDatabase, createKeyDirectory, type Database } from '@weir/database';
import { seedFirstKey } from '@weir/management-api';
import { getPostgres, type RealPostgres } from '@weir/testing';
import { runWeir, type Outcome } from './__fixtures__/run-weir';

const PEPPER = 'a pepper of thirty-two characters';

let postgres: RealPostgres;
let database: Database;
let environment: Record<string, string>;

beforeAll(async () => {
  postgres = await getPostgres();
  const url = await postgres.createDatabase();
  await runWeir('migrate', { DATABASE_URL: url, KEY_PEPPER: PEPPER });
  database = createDatabase({ url });
  environment = { DATABASE_URL: url, KEY_PEPPER: PEPPER };
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
});

const weir = (line: string, env = environment): Promise<Outcome> => runWeir(line, env);

describe('weir key recover', () => {
  it('makes a new administrator key in place of the lost one, audited, as often as it is lost', async () => {
    const peppers = createKeyPeppers(PEPPER, undefined);
    const lost = await seedFirstKey(database, 'a-first-key-of-20-characters', peppers);
    const { organizationId } = lost;
    const line = `key recover --organization ${organizationId}`;
    const statusOf = async (id: unknown) => (await database.prisma.apiKey.findUniqueOrThrow({ where: { id: String(id) } })).status;

    const kept = await weir(`${line} --keep yes`);
    expect([kept.json['revoked_api_key_ids'], await statusOf(lost.apiKeyId)]).toEqual([[], 'active']);
    const first = await weir('key recover');
    const revoked = first.json['revoked_api_key_ids'] as string[];
    expect([...revoked].sort()).toEqual([lost.apiKeyId, String(kept.json['api_key_id'])].sort());
    expect([first.json['organization_id'], await statusOf(lost.apiKeyId)]).toEqual([organizationId, 'revoked']);
    const found = await createKeyDirectory(database.pool).findByDigest(digestApiKey(String(first.json['api_key']), PEPPER));
    expect(found).toMatchObject({ organizationId, status: 'active', permissions: { manage: 'write', completions: 'write' } });

    expect((await weir(line)).json['revoked_api_key_ids']).toEqual([first.json['api_key_id']]);
    const audit = await database.prisma.auditLog.findMany({ where: { organizationId, action: 'recover-api-key' } });
    expect(audit).toHaveLength(6);
    expect((await weir(`audit verify --organization ${organizationId}`)).json).toMatchObject({ is_whole: true });
    expect(await weir('key recover --keep maybe')).toMatchObject({ code: 2 });
  });

  it('says that there is no organization of a first start where there is none', async () => {
    const empty = { ...environment, DATABASE_URL: await postgres.createDatabase() };
    expect((await weir('key recover', empty)).complaint).toContain('No start has made an administrator key here');
  });
});
