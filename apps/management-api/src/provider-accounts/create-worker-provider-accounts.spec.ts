import { ACCOUNT_ANSWER, ACCOUNT_QUESTION, ACCOUNT_QUESTION_PATH } from '@weir/contracts';
import { createTransitSealer } from '@weir/sealing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWorkerProviderAccounts } from './create-worker-provider-accounts';
import { openProviderAccounts } from './open-provider-accounts';

const seal = createTransitSealer('a secret of the tests, shared by two');
const asked: { path: string | undefined; connection: string | undefined; body: string }[] = [];
let answer: () => { status: number; body: string };
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    asked.push({ path: request.url, connection: request.headers.connection, body });
    const { status, body: text } = answer();
    response.writeHead(status).end(text);
  });
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const open = () =>
  createWorkerProviderAccounts({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    seal,
    now: () => 7,
    timeoutMs: 2000,
  });
const sealedAnswer = (value: unknown, context = ACCOUNT_ANSWER) => ({
  status: 200,
  body: JSON.stringify({ sealed: seal.seal(JSON.stringify(value), context) }),
});

it('asks sealed, so that the secret of an account is not on the wire, and reads the answer', async () => {
  answer = () => sealedAnswer({ ok: false, why: 'refused' });

  expect(await open().probe('openai', { api_key: 'own-key-0123456789' })).toEqual({ ok: false, why: 'refused' });

  const [{ path, connection, body } = { path: '', connection: '', body: '' }] = asked;
  expect([path, connection, body.includes('own-key')]).toEqual([ACCOUNT_QUESTION_PATH, 'close', false]);
  expect(JSON.parse(seal.open((JSON.parse(body) as { sealed: string }).sealed, ACCOUNT_QUESTION))).toEqual({
    ...{ kind: 'probe', provider: 'openai', fields: { api_key: 'own-key-0123456789' }, askedAtMs: 7 },
  });
});

it.each([
  ['a refusal', () => ({ status: 403, body: '{"error":{}}' })],
  ['an open answer', () => ({ status: 200, body: '{"ok":true}' })],
  ['its own question', () => sealedAnswer({ ok: true }, ACCOUNT_QUESTION)],
  ['an answer to something else', () => sealedAnswer({ ok: true })],
  ['no JSON', () => ({ status: 200, body: 'yes' })],
  ['nothing', () => ({ status: 200, body: '' })],
])('rejects with dependency_down when the worker sends %s', async (_, reply) => {
  answer = reply;

  await expect(open().inspect('openai', {})).rejects.toMatchObject({ code: 'dependency_down' });
});

it('rejects with dependency_down when no worker listens', async () => {
  const nowhere = createWorkerProviderAccounts({ urls: ['http://127.0.0.1:1'], seal, now: () => 7 });

  await expect(nowhere.probe('openai', {})).rejects.toMatchObject({ code: 'dependency_down' });
});

it('asks the next worker where one is not there', async () => {
  answer = () => sealedAnswer({ ok: true });
  const urls = ['http://127.0.0.1:1', `http://127.0.0.1:${(server.address() as AddressInfo).port}`];

  expect(await createWorkerProviderAccounts({ urls, seal, now: () => 7 }).probe('openai', {})).toEqual({ ok: true });
});

it('needs the address of a worker, and the secret with it', () => {
  expect(openProviderAccounts({})).toEqual({});
  expect(() => openProviderAccounts({ CHAT_TRANSLATOR_URL: ['http://127.0.0.1:4001'] })).toThrow('PASSPORT_SECRET');
});
