import { ACCOUNT_ANSWER, ACCOUNT_QUESTION, ACCOUNT_QUESTION_PATH } from '@weir/contracts';
import { createHttpApp } from '@weir/http-server';
import { createTransitSealer } from '@weir/sealing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccountHandler } from './handle-account-questions';

const SECRET = 'a secret of the tests, shared by two';
const NOW = Date.UTC(2026, 10, 21);
const seal = createTransitSealer(SECRET);
const probed: string[] = [];
const handler = createAccountHandler({
  accounts: {
    findProblem: (provider, fields) =>
      provider === 'known' && fields['api_key'] !== undefined ? undefined : { kind: 'value', field: 'api_key', message: 'is missing' },
    secretOf: (_, fields) => fields['api_key'] ?? '',
    probe: (provider) => {
      probed.push(provider);
      return Promise.resolve({ ok: false, why: 'refused' });
    },
  },
  seal,
  now: () => NOW,
});
const server = createServer(createHttpApp({ mount: (app) => app.post(ACCOUNT_QUESTION_PATH, handler), onInternalError: () => undefined }));

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const question = { kind: 'inspect', provider: 'known', fields: { api_key: 'own-key-0123456789' }, askedAtMs: NOW };
const send = (body: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${ACCOUNT_QUESTION_PATH}`, { method: 'POST', body });
const sealed = (asked: object, context = ACCOUNT_QUESTION, by = seal): string =>
  JSON.stringify({ sealed: by.seal(JSON.stringify(asked), context) });

async function ask(asked: object): Promise<unknown> {
  const reply = await send(sealed(asked));
  const text = await reply.text();
  expect([reply.status, text.includes('own-key')]).toEqual([200, false]);
  return JSON.parse(seal.open((JSON.parse(text) as { sealed: string }).sealed, ACCOUNT_ANSWER));
}

it('returns to a caller with the shared secret what fits a provider, and what the provider says', async () => {
  expect(await ask(question)).toEqual({ secret: 'own-key-0123456789' });
  expect(await ask({ ...question, fields: { other: 'own-key-x' } })).toEqual({
    problem: { kind: 'value', field: 'api_key', message: 'is missing' },
    secret: '',
  });
  expect(probed).toEqual([]);
  expect(await ask({ ...question, kind: 'probe' })).toEqual({ ok: false, why: 'refused' });
  expect(probed).toEqual(['known']);
});

it.each([
  ['nothing', ''],
  ['an open question', JSON.stringify(question)],
  ['one sealed with another secret', sealed(question, ACCOUNT_QUESTION, createTransitSealer('another secret of the same tests'))],
  ['one sealed for something else', sealed(question, 'own account')],
  ['an answer', sealed({ secret: 'x' }, ACCOUNT_ANSWER)],
  ['one that was recorded a while ago', sealed({ ...question, kind: 'probe', askedAtMs: NOW - 60_001 })],
  ['one from the future', sealed({ ...question, kind: 'probe', askedAtMs: NOW + 60_001 })],
  ['one that is no question', sealed({ ...question, kind: 'steal' })],
])('refuses %s, and asks no one', async (_, body) => {
  const before = probed.length;

  const reply = await send(body);

  expect([reply.status, probed.length]).toEqual([403, before]);
});
