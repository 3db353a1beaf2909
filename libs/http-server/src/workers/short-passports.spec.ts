import {
  GREETING,
  GREETING_HEADER,
  NOT_BEGUN_HEADER,
  PASSPORT_HEADER,
  readGreeting,
  REQUEST_ID_HEADER,
  signPassport,
  signShortPassport,
  TERMS_HEADER,
  writeTerms,
  type Greeting,
  type Passport,
} from '@weir/contracts';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import { hash } from 'node:crypto';
import { Agent, request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import { createWeirServer, listen, type RunningHttpServer } from '../server/create-http-server';
import { buildWorkerRoutes } from './build-worker-routes';
import type { ForwardedRequest } from './forwarded-request';

const SECRET = 'worker-secret-'.repeat(4);
const ID = '01a203c4-52cc-7a34-9eb7-1d4f22aa99ee';
const PATH = '/v1/messages';

let server: RunningHttpServer;
let agents: Agent[];
let noted: string[];
let served: ForwardedRequest[];
let claimed: string[];

beforeEach(async () => {
  [agents, noted, served, claimed] = [[], [], [], []];
  const hotRoutes = buildWorkerRoutes({
    ...{ service: 'chat-translator', passportSecret: SECRET, bodyBytesMax: 1000, now: Date.now },
    handle: (forwarded) => {
      served.push(forwarded);
      return Promise.resolve(void forwarded.response.end('{}'));
    },
    uses: { claim: (id) => claimed.push(id) > 0 },
    notePassport: (note) => void noted.push(note),
  });
  const options = { hotRoutes, fallback: () => undefined, now: Date.now, isBehindEdge: true };
  const log = createLogger({ service: 'worker', level: 'silent' });
  server = await listen(createWeirServer({ ...options, log, metrics: createRequestMetrics(createMetricsRegistry()) }), 0, '127.0.0.1');
});
afterEach(async () => {
  for (const agent of agents) agent.destroy();
  await server.drain(0);
});

/** Requests of one agent go over one connection. */
function connect(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

type Reply = { readonly status: number | undefined; readonly headers: IncomingHttpHeaders; readonly begun: string };

function send(agent: Agent, headers: Record<string, string>, { body = '{"a":1}', path = PATH } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const target = { agent, port: server.port, host: '127.0.0.1', path, method: 'POST' };
    const sent = sendRequest({ ...target, headers: { ...headers, [REQUEST_ID_HEADER]: ID, 'content-length': body.length } }, (reply) => {
      const refusal = reply.headers[NOT_BEGUN_HEADER];
      reply.resume().once('end', () => resolve({ status: reply.statusCode, headers: reply.headers, begun: String(refusal ?? 'begun') }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function stamp(more: Partial<Passport> = {}): Passport {
  return {
    ...{ version: 1, requestId: ID, endpointId: 'messages', admittedAtMs: Date.now(), deadlineMs: Date.now() + 60_000 },
    ...{ modelRequested: 'm', stream: false, attempts: [], extra: {}, originTitle: null, endUserId: null, traceId: null },
    caller: { organizationId: 'o', apiKeyId: 'k', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
    ...{ hold: null, isStrict: false },
    ...more,
  } as Passport;
}

async function greet(agent: Agent): Promise<Greeting> {
  const { headers } = await send(agent, { [PASSPORT_HEADER]: signPassport(stamp(), SECRET), [GREETING_HEADER]: GREETING });
  const greeting = readGreeting(headers[GREETING_HEADER]);
  if (greeting === undefined) throw new Error('the worker did not say that it understands short passports');
  served = [];
  claimed = [];
  return greeting;
}

type Signed = { readonly passport?: Passport; readonly takenByMs?: number; readonly secret?: string; readonly terms?: Passport | null };

/** The headers of the `number`th short passport of a connection; its terms are sent with it but for `null`. */
function sign({ connection }: Greeting, number: number, { passport = stamp(), secret = SECRET, ...more }: Signed = {}) {
  const { takenByMs = Date.now() + 1000, terms = passport } = more;
  const facts = { connection, number, takenByMs, path: PATH, bodyDigest: hash('sha256', '{"a":1}', 'base64url') };
  const header = signShortPassport(passport, { ...facts, termsDigest: writeTerms(passport).digest }, secret);
  const sentTerms = terms === null ? {} : { [TERMS_HEADER]: Buffer.from(writeTerms(terms).text).toString('base64url') };
  return { [PASSPORT_HEADER]: header, ...sentTerms };
}

const OTHER: Passport['caller'] = { ...stamp().caller, organizationId: 'other' };

describe('a worker', () => {
  it('says only to those who ask, with a passport, that it understands short ones', async () => {
    const agent = connect();
    const unasked = await send(agent, { [PASSPORT_HEADER]: signPassport(stamp(), SECRET) });
    const unsigned = await send(agent, { [PASSPORT_HEADER]: signPassport(stamp(), 'x'.repeat(40)), [GREETING_HEADER]: GREETING });
    const [one, again, other] = [await greet(agent), await greet(agent), await greet(connect())];

    expect([unasked.headers[GREETING_HEADER], unsigned.headers[GREETING_HEADER]]).toEqual([undefined, undefined]);
    expect(again).toEqual(one);
    expect(other).toEqual({ process: one.process, connection: expect.not.stringMatching(one.connection) });
  });

  it('takes short passports with their terms, and then without, and asks no store whether they were used', async () => {
    const agent = connect();
    const greeting = await greet(agent);
    const passport = stamp({ extra: { a: 'b' }, endUserId: 'é' });

    expect(await send(agent, sign(greeting, 1, { passport }))).toMatchObject({ status: 200, begun: 'begun' });
    expect(await send(agent, sign(greeting, 2, { passport, terms: null }))).toMatchObject({ status: 200 });
    expect(served.map((one) => one.passport)).toEqual([passport, passport]);
    expect(served[1]?.passport.attempts).toBe(served[0]?.passport.attempts);
    expect(claimed).toEqual([]);
  });

  it('asks for terms it does not know, before anything is begun', async () => {
    const agent = connect();
    const greeting = await greet(agent);

    expect(await send(agent, sign(greeting, 1, { terms: null }))).toMatchObject({ status: 403, begun: 'send terms' });
    expect(await send(agent, sign(greeting, 1))).toMatchObject({ status: 403, begun: 'send whole' });
    expect([served.length, noted]).toEqual([0, ['terms', 'used']]);
  });
});

describe('a short passport is refused, and nothing is begun,', () => {
  test.each([
    ['forged', 'unsigned', (greeting: Greeting) => sign(greeting, 1, { secret: 'x'.repeat(40) }), {}],
    ['for another path', 'unsigned', (greeting: Greeting) => sign(greeting, 1), { path: `${PATH}?x=1` }],
    ['for another endpoint', 'unsigned', (greeting: Greeting) => sign(greeting, 1, { passport: stamp({ endpointId: 'responses' }) }), {}],
    ['with another body', 'changed', (greeting: Greeting) => sign(greeting, 1), { body: '{"a":2}' }],
    ['too late', 'late', (greeting: Greeting) => sign(greeting, 1, { takenByMs: Date.now() - 1 }), {}],
    ['after its deadline', 'late', (greeting: Greeting) => sign(greeting, 1, { passport: stamp({ deadlineMs: Date.now() - 1 }) }), {}],
    ['with the terms of another', 'terms', (greeting: Greeting) => sign(greeting, 1, { terms: stamp({ caller: OTHER }) }), {}],
    ['for another connection', 'elsewhere', () => sign({ process: 'p', connection: 'c' }, 1), {}],
  ])('%s', async (_, reason, make, sent) => {
    const agent = connect();
    const greeting = await greet(agent);

    const { status, begun } = await send(agent, make(greeting), sent);

    expect([status, begun === 'begun', served.length, noted]).toEqual([403, false, 0, [reason]]);
  });

  it('altered to name the terms of another, although they are known', async () => {
    const agent = connect();
    const greeting = await greet(agent);
    const other = stamp({ caller: OTHER });
    await send(agent, sign(greeting, 1, { passport: other }));
    const headers = sign(greeting, 2);
    const altered = headers[PASSPORT_HEADER]?.replace(writeTerms(stamp()).digest, writeTerms(other).digest) ?? '';

    expect(await send(agent, { [PASSPORT_HEADER]: altered })).toMatchObject({ status: 403 });
    expect([served.length, noted]).toEqual([1, ['unsigned']]);
  });

  it('sent again, on its connection and any other, and however it was refused', async () => {
    const [agent, another] = [connect(), connect()];
    const [greeting] = [await greet(agent), await greet(another)];
    const [taken, changed] = [sign(greeting, 1), sign(greeting, 2)];
    await send(agent, taken);
    await send(agent, changed, { body: '{"a":2}' });

    const replies = [await send(agent, taken), await send(another, taken), await send(agent, changed), await send(another, changed)];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect([served.length, noted]).toEqual([1, ['changed', 'used', 'elsewhere', 'used', 'elsewhere']]);
  });
});
