import { NOT_BEGUN_HEADER, PASSPORT_HEADER, REQUEST_ID_HEADER, signPassport, WORK_HEADER, type Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { buildWorkerRoutes } from './build-worker-routes';
import { readMetric, sendRaw, serveGuarded, type GuardedHarness } from '../server/__fixtures__/guarded-harness';
import type { RequestPriority } from '../requests/request-priority';
import type { LoadShedder } from '../load/load-shedder';
import { SLOW_CLIENT_LIMITS } from '../connections/slow-client-watch';
import { digestForwarded } from './digest-forwarded-request';
import { createMemoryPassportUses, type PassportUses } from './passport-uses';
import type { WorkerHandler } from './forwarded-request';

const SECRET = 'worker-secret-'.repeat(4);
const ID = '01a203c4-52cc-7a34-9eb7-1d4f22aa99ee';
const OVERLOADED = new GatewayError('overloaded', 'Later.', { retryAfterSeconds: 2 });
const idle = (): void => undefined;
const QUICK = { ...SLOW_CLIENT_LIMITS, bodyMs: 500, checkEveryMs: 50 };

let harness: GuardedHarness;
let refused: readonly RequestPriority[];
let handle: WorkerHandler;
let uses: PassportUses;
let noted: string[];
const note = (reason: string): void => void noted.push(reason);

beforeEach(async () => {
  refused = [];
  noted = [];
  uses = { claim: () => true };
  handle = ({ response }) => Promise.resolve(void response.end('{}'));
  const findRefusal = (priority: RequestPriority) => (refused.includes(priority) ? OVERLOADED : undefined);
  const load: LoadShedder = {
    ...{
      isRefusing: (priority) => refused.includes(priority),
      findRefusal,
      isCrowded: () => false,
      entered: idle,
      left: idle,
      close: idle,
    },
    check: (priority) => {
      if (refused.includes(priority)) throw OVERLOADED;
    },
  };
  const routes = {
    passportSecret: SECRET,
    uses: { claim: (id: string, untilMs: number) => uses.claim(id, untilMs) },
    notePassport: note,
    bodyBytesMax: 100,
    now: Date.now,
  };
  const hotRoutes = buildWorkerRoutes({ service: 'chat-translator', handle: (forwarded) => handle(forwarded), ...routes });
  harness = await serveGuarded(() => Promise.resolve(), { hotRoutes, load, isBehindEdge: true, slowClients: QUICK });
});
afterEach(() => harness.drain(0));

const PASSPORT = {
  ...{ version: 1, requestId: ID, endpointId: 'messages', admittedAtMs: 0, modelRequested: 'm', stream: false, attempts: [], extra: {} },
  caller: { organizationId: 'o', apiKeyId: 'k', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
  ...{ originTitle: null, endUserId: null, traceId: null, hold: null, isStrict: false },
};

type Asked = {
  readonly priority?: string;
  readonly secret?: string;
  readonly body?: string;
  readonly query?: string;
  readonly passport?: Partial<Passport>;
};

async function ask(more: Asked = {}) {
  const passport: Passport = { ...(PASSPORT as unknown as Passport), deadlineMs: Date.now() + 60_000, ...more.passport };
  const answer = await fetch(`${harness.url}/v1/messages${more.query ?? ''}`, {
    method: 'POST',
    headers: {
      [PASSPORT_HEADER]: signPassport(passport, more.secret ?? SECRET),
      [REQUEST_ID_HEADER]: ID,
      ...(more.priority === undefined ? {} : { [WORK_HEADER]: more.priority }),
    },
    body: more.body ?? '{}',
  });
  const { request_id: id, error } = (await answer.json()) as { request_id?: string; error?: { type: string } };
  return { status: answer.status, error: error?.type, ids: [answer.headers.get('x-request-id'), id], begun: begunOf(answer) };
}

const begunOf = (answer: Response): string => (answer.headers.get(NOT_BEGUN_HEADER) === 'true' ? 'not begun' : 'begun');

describe('a worker behind an edge', () => {
  it('refuses the lowest priority first, under the id the caller knows, and says that nothing was begun', async () => {
    const priorities = ['free', 'unpaid', 'paid', undefined] as const;
    const askAll = async () => {
      const replies = [];
      for (const priority of priorities) replies.push(await ask(priority === undefined ? {} : { priority }));
      return replies.map(({ status, begun }) => `${status} ${begun}`);
    };
    const [served, refusedForLoad] = ['200 begun', '503 not begun'];

    expect(await askAll()).toEqual([served, served, served, served]);
    refused = ['free'];
    expect(await askAll()).toEqual([refusedForLoad, served, served, served]);
    refused = ['free', 'reading', 'unpaid'];
    expect(await askAll()).toEqual([refusedForLoad, refusedForLoad, served, served]);
    refused = ['free', 'reading', 'unpaid', 'paid'];
    expect(await askAll()).toEqual([refusedForLoad, refusedForLoad, refusedForLoad, refusedForLoad]);
    expect(await ask({ priority: 'paid' })).toMatchObject({ error: 'overloaded_error', ids: [ID, ID] });
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

  it('blames a sender that is too slow, not itself, once it got its 408', async () => {
    const passport = signPassport({ ...(PASSPORT as unknown as Passport), deadlineMs: Date.now() + 60_000 }, SECRET);
    const client = sendRaw(
      harness.port,
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${PASSPORT_HEADER}: ${passport}\r\ncontent-length: 50\r\n\r\nhalf`,
    );
    const readFailures = () => readMetric(harness.registry, 'weir_errors_total');

    await client.closed;
    for (let looks = 0; looks < 100 && (await readFailures()).length === 0; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(client.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await readFailures()).toEqual([{ labels: { endpoint: 'messages', code: 'invalid_request' }, value: 1 }]);
  });
});

describe('a passport', () => {
  const bindTo = (body: string, takenByMs = Date.now() + 30_000): Partial<Passport> => ({
    binding: { digest: digestForwarded({ path: '/v1/messages', body: Buffer.from(body) }) ?? '', takenByMs },
  });
  let handled = 0;
  beforeEach(() => {
    handled = 0;
    uses = createMemoryPassportUses(Date.now);
    handle = ({ response }) => {
      handled += 1;
      return Promise.resolve(void response.end('{}'));
    };
  });

  it('is taken with the body it was made for, once', async () => {
    const asked = { body: '{"a":1}', passport: bindTo('{"a":1}') };

    expect(await ask(asked)).toMatchObject({ status: 200 });
    expect(await ask(asked)).toMatchObject({ status: 403, begun: 'not begun' });
    expect([handled, noted]).toEqual([1, ['used']]);
  });

  it('returns 403 with another body or path, and still serves the request it was made for', async () => {
    const passport = bindTo('{"a":1}');

    expect(await ask({ body: '{"a":2}', passport })).toMatchObject({ status: 403, begun: 'not begun' });
    expect(await ask({ body: '{"a":1}', query: '?x=1', passport })).toMatchObject({ status: 403 });
    expect([handled, noted]).toEqual([0, ['changed', 'changed']]);
    expect(await ask({ body: '{"a":1}', passport })).toMatchObject({ status: 200 });
  });

  it('returns 403 when it comes too late, although the work could still be done', async () => {
    expect(await ask({ body: '{}', passport: bindTo('{}', Date.now() - 1) })).toMatchObject({ status: 403 });
    expect([handled, noted]).toEqual([0, ['late']]);
  });

  it('of an edge of an earlier version is taken unbound, and once too', async () => {
    expect([(await ask()).status, (await ask({ body: '{"a":2}' })).status, noted]).toEqual([200, 403, ['used']]);
  });

  it('of one request is taken by one of many who bring it at a time', async () => {
    const asked = { body: '{"a":1}', passport: bindTo('{"a":1}') };
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(asked)));

    expect([replies.filter(({ status }) => status === 200).length, handled]).toEqual([1, 1]);
  });
});

describe('used passports of one process', () => {
  it('are remembered until they are worth nothing, and not for longer', () => {
    let now = 1_000_000;
    const used = createMemoryPassportUses(() => now);

    expect([used.claim('a', now + 120_000), used.claim('a', now + 120_000), used.claim('b', now + 600_000)]).toEqual([true, false, true]);
    now += 119_999;
    expect(used.claim('a', now + 1)).toBe(false);
    now += 240_000;
    expect([used.claim('a', now + 1), used.claim('b', now + 1)]).toEqual([true, false]);
  });
});

describe('what a passport is bound to', () => {
  const form = (value: string, digest: string | undefined = 'd', name = 'a.png') => ({
    fields: [{ name: 'prompt', value }],
    files: [{ field: 'image', name, type: 'image/png', size: 1, ...(digest === undefined ? {} : { digest }), read: () => [] as never }],
    discard: () => Promise.resolve(),
  });
  const digest = (more: object): string | undefined => digestForwarded({ path: '/p', body: Buffer.alloc(0), ...more });

  it('is the path, the body, and of a form its fields and what its files hold, however it is written', () => {
    const different = [{}, { path: '/q' }, { body: Buffer.from('x') }, { form: form('x') }, { form: form('y') }, { form: form('x', 'e') }];

    expect(new Set(different.map(digest)).size).toBe(different.length);
    expect(digest({ form: form('x', 'd', 'b.png') })).toBe(digest({ form: form('x') }));
    expect(digest({ form: { ...form('x'), files: [{ ...form('x').files[0], digest: undefined }] } })).toBeUndefined();
  });
});
