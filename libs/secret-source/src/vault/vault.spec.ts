import { makeCertificate, makeTestFolder } from '@weir/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretSource, createVaultReader, type SecretSource, type VaultSettings } from '..';
import { startVault, type StandIn } from '../__fixtures__/start-vault';

const PATH = 'secret/data/weir/openai';
const KEY = 'sk-in-vault-0123456789';
const reference = (field = 'api_key', path = PATH) => ({ vault: { path, field } });

let vault: StandIn;
let nowMs: number;
beforeEach(async () => {
  vault = await startVault();
  nowMs = 0;
  vault.put(PATH, { api_key: KEY, other: 'second', number: 7 });
});
afterEach(() => vault.stop());

function open(more: Partial<VaultSettings> = {}): SecretSource {
  const settings: VaultSettings = { address: vault.url, login: { kind: 'token', token: 'hvs.root' }, now: () => nowMs, ...more };
  return createSecretSource({ env: () => undefined, vault: createVaultReader(settings) });
}

const reads = (): number => vault.calls.filter((call) => call === `GET ${PATH}`).length;

async function failureOf(reading: Promise<unknown>): Promise<string> {
  const message = await reading.then(
    () => 'it was read',
    (error: Error) => error.message,
  );
  expect(message).not.toMatch(/sk-in|hvs\.|jwt-of/);
  return message;
}

it('reads fields of one secret with one question, and asks again after a while, or at once where it must be fresh', async () => {
  const source = open();
  const first = await source.read(reference());
  expect([first.value, (await source.read(reference('other'))).value, reads()]).toEqual([KEY, 'second', 1]);

  vault.put(PATH, { api_key: 'sk-in-vault-rotated' });
  expect((await source.read(reference())).version).toBe(first.version);
  const fresh = await source.read(reference(), { isFresh: true });
  expect([fresh.value, fresh.version === first.version]).toEqual(['sk-in-vault-rotated', false]);
  nowMs = 60_000;
  await source.read(reference());
  expect(reads()).toBe(3);
});

it('names what is wrong, and never a secret', async () => {
  expect(await failureOf(open().read(reference('missing')))).toBe(`${PATH} in Vault has no text in its field "missing"`);
  expect(await failureOf(open().read(reference('number')))).toContain('has no text');
  expect(await failureOf(open().read(reference('a', 'secret/data/none')))).toBe('secret/data/none: Vault has nothing there (status 404)');
  expect(await failureOf(open({ login: { kind: 'token', token: 'hvs.wrong' } }).read(reference()))).toContain('(status 403)');
  vault.put(PATH, null);
  expect(await failureOf(open().read(reference()))).toContain('newest version was deleted');
  vault.isSealed = true;
  expect(await failureOf(open().read(reference()))).toBe(`${PATH}: Vault is sealed or in maintenance (status 503)`);
  vault.isSealed = false;
  vault.isSilent = true;
  expect(await failureOf(open({ timeoutMs: 50 }).read(reference()))).toContain('no answer within 50 ms');
  expect(await failureOf(open({ address: 'http://127.0.0.1:9' }).read(reference()))).toContain('cannot be reached (ECONNREFUSED)');
});

it('asks in its namespace', async () => {
  vault.namespace = 'team/ai';
  expect(await failureOf(open().read(reference()))).toContain('(status 403)');
  expect((await open({ namespace: 'team/ai' }).read(reference())).value).toBe(KEY);
});

it('trusts the certificates it was given, for what it logs in with as well, and no other', async () => {
  const [own, another] = [makeCertificate(), makeCertificate()];
  const secure = await startVault(own);
  secure.put(PATH, { api_key: KEY });
  const folder = makeTestFolder('vault-tls');
  writeFileSync(join(folder, 'jwt'), 'jwt-of-the-pod\n');
  const login = { kind: 'kubernetes', role: 'weir', mount: 'kubernetes', jwtPath: join(folder, 'jwt') } as const;
  const openWith = (certificates: Buffer | undefined) => open({ address: secure.url, login, certificates: certificates?.toString() });
  expect((await openWith(own.cert).read(reference())).value).toBe(KEY);
  const sent = secure.calls.length;
  for (const certificates of [undefined, another.cert])
    expect(await failureOf(openWith(certificates).read(reference()))).toContain('cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)');
  expect(secure.calls.length).toBe(sent);
  await secure.stop();
});

it('renews its token before it ends, and what cannot be read is asked for again', async () => {
  vault.ttl = 30;
  const source = open();
  await source.read(reference());
  nowMs = 19_000;
  await source.read(reference());
  expect(vault.calls.filter((call) => call.includes('renew'))).toEqual([]);
  nowMs = 25_000;
  await source.read(reference());
  expect(vault.calls.filter((call) => call.includes('renew'))).toEqual(['POST auth/token/renew-self']);
  vault.isSealed = true;
  expect(await failureOf(source.read(reference(), { isFresh: true }))).toContain('sealed');
  vault.isSealed = false;
  expect((await source.read(reference())).value).toBe(KEY);
});

it('logs in as the pod’s service account, again where its token was revoked, and takes the token an agent writes', async () => {
  const folder = makeTestFolder('vault');
  writeFileSync(join(folder, 'jwt'), 'jwt-of-the-pod\n');
  const login = { kind: 'kubernetes', role: 'weir', mount: 'kubernetes', jwtPath: join(folder, 'jwt') } as const;
  vault.ttl = 3600;
  const source = open({ login });
  expect((await source.read(reference())).value).toBe(KEY);
  vault.tokens.clear();
  expect((await source.read(reference(), { isFresh: true })).value).toBe(KEY);
  expect(vault.calls.filter((call) => call.endsWith('login'))).toHaveLength(2);
  expect(await failureOf(open({ login: { ...login, role: 'other' } }).read(reference()))).toContain('the login as the role "other"');

  vault.tokens.add('hvs.by-agent');
  writeFileSync(join(folder, 'token'), 'hvs.by-agent\n');
  expect((await open({ login: { kind: 'token-file', path: join(folder, 'token') } }).read(reference())).value).toBe(KEY);
});
