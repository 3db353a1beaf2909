import { createMemoryChangeNotices } from '@weir/access';
import { createDataKeyStore, createUsageStore, SILENT_LOG } from '@weir/database';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createKeyRing, createVault } from '@weir/sealing';
import { makeTestFolder } from '@weir/testing';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAT_MODEL } from './__fixtures__/maker';
import { createProviderAccounts } from './__fixtures__/provider-accounts';
import { SEALING_KEY } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';
import { createLook } from './configuration/file/follow-configuration-file';
import type { ManagementParts } from './route/management-parts';

jest.setTimeout(60_000);

const suite = useManagement();

const HEAD = 'apiVersion: weir/v1\nkind: Configuration\nmetadata: {name: mounted}\n';
const alias = (name: string): string => `${HEAD}aliases:\n  - {name: ${name}, model: ${CHAT_MODEL}}\n`;

/** A process of its own that has the file mounted. */
function mount(path: string, more: { prune?: boolean; secretsFolder?: string; env?: Record<string, string> } = {}) {
  const { database } = suite.harness;
  const logged: string[] = [];
  const counted: string[] = [];
  let nowMs = Date.now();
  const parts: ManagementParts = {
    database,
    usageStore: createUsageStore({ pool: database.pool, now: () => nowMs }),
    authenticate: () => Promise.reject(new Error('no one calls')),
    changeNotices: createMemoryChangeNotices(),
    catalog: createBuiltInCatalog(),
    vault: createVault({ keyRing: createKeyRing(SEALING_KEY), store: createDataKeyStore(database.pool) }),
    providerAccounts: createProviderAccounts(),
    peppers: { current: 'pepper of the tests' },
    identityProvider: { addMember: () => Promise.resolve({ subject: null }), removeMember: () => Promise.resolve() },
    now: () => nowMs,
    log: { ...SILENT_LOG, error: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`) },
  };
  const look = createLook(parts, {
    path,
    organizationId: suite.ours.id,
    prune: more.prune ?? false,
    secretsFolder: more.secretsFolder,
    env: (name) => more.env?.[name],
    count: (outcome) => void counted.push(outcome),
  });
  return { look, logged, counted, wait: (ms: number) => void (nowMs += ms) };
}

const aliases = async (): Promise<string[]> =>
  ((await suite.get('/v1/manage/alias'))['aliases'] as readonly { name: string }[]).map(({ name }) => name).sort();

it('is applied at the start, when its link is changed, and when somebody changed something by hand', async () => {
  const folder = makeTestFolder('configuration');
  for (const [version, name] of [
    ['..one', 'first'],
    ['..two', 'second'],
  ] as const) {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'weir.yaml'), alias(name));
  }
  symlinkSync('..one', join(folder, '..data'));
  symlinkSync('..data/weir.yaml', join(folder, 'weir.yaml'));
  const mounted = mount(folder, { prune: true });
  await mounted.look();
  await mounted.look();
  expect([await aliases(), mounted.counted]).toEqual([['first'], ['applied']]);

  symlinkSync('..two', join(folder, '..next'));
  renameSync(join(folder, '..next'), join(folder, '..data'));
  await mounted.look();
  expect([await aliases(), mounted.counted]).toEqual([['second'], ['applied', 'applied']]);

  await suite.send('DELETE', '/v1/manage/alias/second');
  await mounted.look();
  expect(await aliases()).toEqual([]);
  mounted.wait(300_000);
  await mounted.look();
  expect([await aliases(), mounted.logged]).toEqual([['second'], []]);
  const { audit } = await suite.get('/v1/manage/audit?limit=1');
  expect(audit[0]).toMatchObject({ action: 'apply-configuration', actor: { kind: 'operator', id: 'mounted configuration' } });
});

it('of two processes is applied once', async () => {
  const file = join(makeTestFolder('configuration'), 'weir.yaml');
  writeFileSync(file, alias('once'));
  const both = [mount(file), mount(file)];
  await Promise.all(both.map(({ look }) => look()));
  expect(both.flatMap(({ counted }) => counted).sort()).toEqual(['applied', 'unchanged']);
});

it('that cannot be applied changes nothing, is logged and counted, and is tried again in a minute', async () => {
  const file = join(makeTestFolder('configuration'), 'weir.yaml');
  const mounted = mount(file);
  await mounted.look();
  writeFileSync(file, `${alias('fine')}keys:\n  - {name: new}\n`);
  await mounted.look();
  await mounted.look();
  expect([await aliases(), mounted.counted]).toEqual([[], ['failed', 'failed']]);
  expect(mounted.logged).toEqual([expect.stringContaining('ENOENT'), expect.stringContaining('no one would see its value')]);
  await suite.createKey({ name: 'new' });
  mounted.wait(60_000);
  await mounted.look();
  expect([await aliases(), mounted.counted.at(-1)]).toEqual([['fine'], 'applied']);
});

it('is about its organization: the catalogue is not its to change', async () => {
  const file = join(makeTestFolder('configuration'), 'weir.yaml');
  writeFileSync(file, `${alias('fine')}---\n${HEAD.replace('Configuration', 'Catalog')}models: []\n`);
  const mounted = mount(file);
  await mounted.look();
  expect([await aliases(), mounted.logged]).toEqual([[], [expect.stringContaining('the kind Catalog is about the whole gateway')]]);
});

it('reads secrets from its own variables and its own folder only', async () => {
  const folder = makeTestFolder('configuration');
  const file = join(folder, 'weir.yaml');
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'secrets', 'plain'), 'sk-of-a-mounted-file\n');
  const credential = (reference: string): void =>
    writeFileSync(file, `${HEAD}provider_credentials:\n  - {provider: plain, api_key: ${reference}}\n`);
  const mounted = mount(file, {
    secretsFolder: join(folder, 'secrets'),
    env: { CONFIGURATION_SECRET_A: 'sk-of-a-variable', KEY_PEPPER: 'not for documents' },
  });
  for (const reference of ['{env: KEY_PEPPER}', '{file: ../weir.yaml}', '{file: /etc/hostname}', '{env: CONFIGURATION_SECRET_B}']) {
    credential(reference);
    await mounted.look();
  }
  expect(mounted.counted).toEqual(['failed', 'failed', 'failed', 'failed']);
  expect(mounted.logged.join()).not.toContain('not for documents');
  for (const reference of ['{file: plain}', '{env: CONFIGURATION_SECRET_A}']) {
    credential(reference);
    await mounted.look();
  }
  const {
    provider_credentials: [kept],
  } = await suite.get('/v1/manage/provider-credential');
  expect([mounted.counted.slice(4), kept]).toMatchObject([['applied', 'applied'], { version: 2, last4: 'able' }]);
});
