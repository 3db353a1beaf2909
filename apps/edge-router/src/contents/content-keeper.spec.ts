import type { Passport } from '@weir/contracts';
import type { NewContents } from '@weir/database';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createContentKeeper, type ContentAsk, type ContentKeeperParts } from './create-content-keeper';

const MASKING: Passport['guardrails'] = [
  { id: 'g', version: 1, name: 'g', detectors: ['email'], action: 'mask', stage: 'both', onError: 'closed' },
];
const MASKING_REPLIES = [{ ...MASKING[0]!, stage: 'output' as const }];
const BODY = Buffer.from('{"messages":"a question"}');

describe('keeping contents of requests', () => {
  let server: Server;
  let written: NewContents[];
  let counted: Record<string, number>;
  let warned: unknown[];
  let serve: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      serve(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    [written, counted, warned] = [[], {}, []];
  });
  afterAll(() => void server.close());

  const open = (more: Partial<ContentKeeperParts> = {}, limits: ContentKeeperParts['limits'] = {}) =>
    createContentKeeper({
      write: (batch) => {
        written.push(...batch);
        return Promise.resolve();
      },
      count: (outcome, requests) => (counted[outcome] = (counted[outcome] ?? 0) + requests),
      log: { warn: (fields: unknown) => warned.push(fields) } as unknown as ContentKeeperParts['log'],
      limits: { waitMs: 1, retryMs: 1, ...limits },
      ...more,
    });

  /** Sends one request whose response is what `respond` makes of it; resolves when its caller has all of it. */
  async function send(
    keeper: ReturnType<typeof open>,
    respond: (response: ServerResponse) => void,
    more: Partial<ContentAsk> = {},
  ): Promise<string> {
    const isOver = new Promise<void>((resolve) => {
      serve = (response) => {
        const ids = { organizationId: 'o', requestId: 'r', apiKeyId: 'k', userId: null };
        keeper.keep({ ...ids, receivedAtMs: 7, days: 3, body: BODY, guardrails: undefined, ...more, response });
        response.once('close', resolve);
        respond(response);
      };
    });
    const text = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: 'POST', body: 'x' }).then(
      (reply) => reply.text(),
      () => 'cut',
    );
    await isOver;
    return text;
  }

  it('records a whole response and a stream byte for byte, and changes neither', async () => {
    const keeper = open();
    const whole = await send(keeper, (response) => response.setHeader('content-type', 'application/json').end('{"a":"ü"}'));
    const stream = await send(keeper, (response) => {
      response.setHeader('content-type', 'text/event-stream').write(Buffer.from('data: 1\n\n'));
      response.write('data: 2\n\n', 'utf8');
      response.end();
    });
    await keeper.close();

    expect([whole, stream]).toEqual(['{"a":"ü"}', 'data: 1\n\ndata: 2\n\n']);
    expect(written).toEqual([
      expect.objectContaining({
        ...{ organizationId: 'o', requestId: 'r', apiKeyId: 'k', userId: null, receivedAtMs: 7, days: 3 },
        contents: {
          request: { body: String(BODY), isCut: false },
          response: { body: '{"a":"ü"}', isCut: false, status: 200, contentType: 'application/json' },
        },
      }),
      expect.objectContaining({
        contents: expect.objectContaining({
          response: { body: 'data: 1\n\ndata: 2\n\n', isCut: false, status: 200, contentType: 'text/event-stream' },
        }) as object,
      }),
    ]);
    expect(counted).toEqual({ kept: 2 });
  });

  it('cuts what is too long, between characters, and says so; also what the caller did not wait for', async () => {
    const keeper = open({}, { partBytesMax: 5 });
    await send(keeper, (response) => response.end('abcdüe'), { body: Buffer.from('12345') });
    await send(
      keeper,
      (response) => {
        response.write('ab');
        response.destroy();
      },
      { body: Buffer.from('123456') },
    );
    await keeper.close();

    expect(written.map(({ contents }) => contents)).toMatchObject([
      { request: { body: '12345', isCut: false }, response: { body: 'abcd', isCut: true } },
      { request: { body: '12345', isCut: true }, response: { body: 'ab', isCut: true } },
    ]);
  });

  it.each([
    ['masked', 200, MASKING],
    ['flagged', 403, MASKING],
    ['scan_error', 200, MASKING],
    [undefined, 503, MASKING],
  ])('keeps nothing of a request that guardrails found %s (%s)', async (verdict, status, guardrails) => {
    const keeper = open();
    await send(
      keeper,
      (response) => {
        if (verdict !== undefined) response.setHeader('x-weir-guardrail', verdict);
        response.statusCode = status;
        response.end('{}');
      },
      { guardrails },
    );
    await keeper.close();

    expect([written, counted]).toEqual([[], { left_out: 1 }]);
  });

  it.each([
    ['passed', MASKING],
    ['flagged', MASKING],
    ['not_scanned', MASKING],
    ['masked', MASKING_REPLIES],
  ])('keeps a request that guardrails let out as it was: %s', async (verdict, guardrails) => {
    const keeper = open();
    await send(keeper, (response) => response.setHeader('x-weir-guardrail', verdict).end('{}'), { guardrails });
    await keeper.close();

    expect(counted).toEqual({ kept: 1 });
  });

  it('tries again when writing fails; what cannot be written is dropped, counted and logged, and is given back', async () => {
    let failures = 2;
    const flaky = open({
      write: (batch) => {
        if ((failures -= 1) >= 0) return Promise.reject(new Error('away'));
        written.push(...batch);
        return Promise.resolve();
      },
    });
    await send(flaky, (response) => response.end('{}'));
    while (counted['kept'] === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
    expect([written.length, counted]).toEqual([1, { kept: 1 }]);

    const away = open({ write: () => Promise.reject(new Error('away')) }, { capacityBytes: BODY.length + 2 });
    for (let sent = 0; sent < 2; sent += 1) {
      await send(away, (response) => response.end('{}'));
      while (counted['dropped'] !== sent + 1) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(warned).toEqual([{ requests: 1, error: expect.objectContaining({ message: 'away' }) as Error }]);
  });

  it('drops what there is no capacity for, and what there is no key to seal with, without a word to the caller', async () => {
    const small = open({}, { capacityBytes: BODY.length + 3 });
    expect(await send(small, (response) => response.end('too long'))).toBe('too long');
    expect(await send(small, (response) => response.end('ok'))).toBe('ok');
    await small.close();
    expect([written.length, counted]).toEqual([1, { kept: 1, dropped: 1 }]);

    const keyless = open({ write: null });
    expect(await send(keyless, (response) => response.end('ok'))).toBe('ok');
    await keyless.close();
    expect(counted).toEqual({ kept: 1, dropped: 2 });
  });
});
