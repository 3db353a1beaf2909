import { NOT_BEGUN_HEADER, PASSPORT_HEADER, REQUEST_ID_HEADER, signPassport, WORK_HEADER, type Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { buildWorkerRoutes } from './build-worker-routes';
import { readMetric, sendRaw, serveGuarded, type GuardedHouse } from './load/__fixtures__/guarded-house';
import type { LoadShedder, WorkClass } from './load/load-shedder';
import { SLOW_CLIENT_LIMITS } from './load/slow-client-watch';
import type { WorkerHandler } from './worker-handler';

const SECRET = 'worker-secret-'.repeat(4);
const ID = '01a203c4-52cc-7a34-9eb7-1d4f22aa99ee';
const OVERLOADED = new GatewayError('overloaded', 'Later.', { retryAfterSeconds: 2 });
const idle = (): void => undefined;
const QUICK = { ...SLOW_CLIENT_LIMITS, bodyMs: 500, checkEveryMs: 50 };

let house: GuardedHouse;
let refused: readonly WorkClass[];
let handle: WorkerHandler;

beforeEach(async () => {
  refused = [];
  handle = ({ response }) => Promise.resolve(void response.end('{}'));
  const findRefusal = (work: WorkClass) => (refused.includes(work) ? OVERLOADED : undefined);
  const load: LoadShedder = {
    ...{ isRefusing: (work) => refused.includes(work), findRefusal, isCrowded: () => false, entered: idle, left: idle, close: idle },
    check: (work) => {
      if (refused.includes(work)) throw OVERLOADED;
    },
  };
  const routes = { passportSecret: SECRET, bodyBytesMax: 100, now: Date.now };
  const hotRoutes = buildWorkerRoutes({ service: 'chat-translator', handle: (work) => handle(work), ...routes });
  house = await serveGuarded(() => Promise.resolve(), { hotRoutes, load, isBehindEdge: true, slowClients: QUICK });
});
afterEach(() => house.drain(0));

const PASSPORT = {
  ...{ version: 1, requestId: ID, endpointId: 'messages', admittedAtMs: 0, modelRequested: 'm', stream: false, attempts: [], extra: {} },
  caller: { organizationId: 'o', apiKeyId: 'k', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
  ...{ originTitle: null, endUserId: null, traceId: null, hold: null, isStrict: false },
};

async function ask(more: { readonly work?: string; readonly secret?: string; readonly body?: string } = {}) {
  const passport: Passport = { ...(PASSPORT as unknown as Passport), deadlineMs: Date.now() + 60_000 };
  const answer = await fetch(`${house.url}/v1/messages`, {
    method: 'POST',
    headers: {
      [PASSPORT_HEADER]: signPassport(passport, more.secret ?? SECRET),
      [REQUEST_ID_HEADER]: ID,
      ...(more.work === undefined ? {} : { [WORK_HEADER]: more.work }),
    },
    body: more.body ?? '{}',
  });
  const { request_id: id, error } = (await answer.json()) as { request_id?: string; error?: { type: string } };
  return { status: answer.status, error: error?.type, ids: [answer.headers.get('x-request-id'), id], begun: begunOf(answer) };
}

const begunOf = (answer: Response): string => (answer.headers.get(NOT_BEGUN_HEADER) === 'true' ? 'not begun' : 'begun');

describe('a worker behind an edge', () => {
  it('refuses what has to wait, the least important first, under the id the caller knows, and says that nothing was begun', async () => {
    const classes = ['free', 'unpaid', 'paid', undefined] as const;
    const askAll = async () => {
      const answers = [];
      for (const work of classes) answers.push(await ask(work === undefined ? {} : { work }));
      return answers.map(({ status, begun }) => `${status} ${begun}`);
    };
    const [served, turnedAway] = ['200 begun', '503 not begun'];

    expect(await askAll()).toEqual([served, served, served, served]);
    refused = ['free'];
    expect(await askAll()).toEqual([turnedAway, served, served, served]);
    refused = ['free', 'reading', 'unpaid'];
    expect(await askAll()).toEqual([turnedAway, turnedAway, served, served]);
    refused = ['free', 'reading', 'unpaid', 'paid'];
    expect(await askAll()).toEqual([turnedAway, turnedAway, turnedAway, turnedAway]);
    expect(await ask({ work: 'paid' })).toMatchObject({ error: 'overloaded_error', ids: [ID, ID] });
  });

  it('says of what fails before its work that nothing was begun, and of what fails in it that it was', async () => {
    const failures = [await ask({ secret: 'x'.repeat(40) }), await ask({ body: 'x'.repeat(101) })];
    handle = () => Promise.reject(new GatewayError('provider_failed', 'The provider failed.'));
    failures.push(await ask());

    expect(failures.map(({ status, begun, ids }) => [status, begun, ids])).toEqual([
      [403, 'not begun', [ID, ID]],
      [413, 'not begun', [ID, ID]],
      [502, 'begun', [ID, ID]],
    ]);
  });

  it('takes a sender who is too slow, and has been told so, for no fault of its own', async () => {
    const passport = signPassport({ ...(PASSPORT as unknown as Passport), deadlineMs: Date.now() + 60_000 }, SECRET);
    const client = sendRaw(
      house.port,
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${PASSPORT_HEADER}: ${passport}\r\ncontent-length: 50\r\n\r\nhalf`,
    );
    const readFailures = () => readMetric(house.registry, 'weir_errors_total');

    await client.closed;
    for (let looks = 0; looks < 100 && (await readFailures()).length === 0; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(client.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await readFailures()).toEqual([{ labels: { endpoint: 'messages', code: 'invalid_request' }, value: 1 }]);
  });
});
