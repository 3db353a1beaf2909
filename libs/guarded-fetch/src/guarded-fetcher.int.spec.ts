import { GatewayError } from '@weir/errors';
import type { ServerResponse } from 'node:http';
import { HOSTILE_NAMES, listHostileHosts, listIllegalAddresses } from './__fixtures__/hostile-addresses';
import { startLoopback, type Loopback } from './__fixtures__/start-loopback';
import { startNameServer } from './__fixtures__/start-name-server';
import { createGuardedFetcher, type GuardedFetcherOptions } from './create-guarded-fetcher';
import type { GuardedFetcher, MediaQuestion } from './guarded-fetcher';
import { createNameResolver } from './resolve-name';

const FIELD = 'messages[0].content[1].image_url.url';
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1000, 7)]);
/** Stands for the public internet in these tests. */
const PUBLIC = '127.0.0.1';

const question = (url: string, more: Partial<MediaQuestion> = {}): MediaQuestion => ({
  url,
  kind: 'image',
  field: FIELD,
  owner: 'org',
  ...more,
});

async function refusalOf(promise: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GatewayError)) throw new Error(`not refused with an error of ours: ${String(error)}`);
  return error;
}

describe('addresses that are not public', () => {
  let canaries: Loopback[];
  let fetcher: GuardedFetcher;
  let port: number;

  beforeAll(async () => {
    const four = await startLoopback((_request, response) => response.end(PNG));
    port = four.port;
    canaries = [four];
    // Where this machine has IPv6, the listener is there as well.
    const six = await startLoopback((_request, response) => response.end(PNG), { host: '::1', port }).catch(() => undefined);
    if (six !== undefined) canaries.push(six);
    fetcher = createGuardedFetcher({ ports: [80, 443, port], resolveName: (name) => Promise.resolve(HOSTILE_NAMES[name] ?? []) });
  });

  afterAll(() => Promise.all(canaries.map((canary) => canary.stop())));

  it('are refused however they are spelled, and nothing is called', async () => {
    const urls = [...listHostileHosts(port), ...listIllegalAddresses(port)];
    expect(urls.length).toBeGreaterThanOrEqual(120);
    for (const url of urls) {
      const asks = [
        fetcher.fetch(question(url)),
        fetcher.check({ url, field: FIELD }),
        fetcher.post({ ...question(url), body: '{}', headers: {} }),
        fetcher.read({ url, field: FIELD, owner: 'org' }),
      ];
      for (const ask of asks) {
        const error = await refusalOf(ask);
        expect({ url, code: error.code, status: error.status, field: error.details.field }).toEqual({
          url,
          code: 'invalid_request',
          status: 400,
          field: FIELD,
        });
        expect(error.message).not.toMatch(/\d+\.\d+\.\d+\.\d+|::|ECONN|ENOTFOUND/);
      }
    }
    expect(canaries.map((canary) => canary.hits())).toEqual(canaries.map(() => 0));
  });

  it('would be called without the guard', async () => {
    const unguarded = createGuardedFetcher({ ports: [port], isAllowedAddress: () => true });

    await unguarded.fetch(question(`http://2130706433:${port}/`));

    expect(canaries[0]?.hits()).toBe(1);
  });

  it('say nothing about names inside: one that exists and one that does not read the same', async () => {
    const exists = await refusalOf(fetcher.fetch(question(`http://inside.example/`)));
    const doesNot = await refusalOf(fetcher.fetch(question(`http://nothing.example/`)));

    expect(exists.message).toBe(doesNot.message);
  });
});

describe('names that change their mind', () => {
  it('are resolved once for each hop, and what was checked is what is called', async () => {
    const addresses = [PUBLIC, '127.0.0.2'];
    const names = await startNameServer(() => addresses.shift() ?? '127.0.0.2');
    const outside = await startLoopback((request, response) => {
      if (request.url === '/again') response.writeHead(302, { location: '/file.png' }).end();
      else response.end(PNG);
    });
    const inside = await startLoopback((_request, response) => response.end(PNG), { host: '127.0.0.2', port: outside.port });
    const fetcher = createGuardedFetcher({
      ports: [outside.port],
      isAllowedAddress: (address) => address === PUBLIC,
      resolveName: createNameResolver([names.address]),
    });
    try {
      await expect(refusalOf(fetcher.fetch(question(`http://rebind.example:${outside.port}/again`)))).resolves.toMatchObject({
        message: `${FIELD} does not lead to a public address.`,
      });
      expect({ asked: names.asked(), outside: outside.hits(), inside: inside.hits() }).toEqual({ asked: 2, outside: 1, inside: 0 });
    } finally {
      await Promise.all([names.stop(), outside.stop(), inside.stop()]);
    }
  });
});

describe('servers that callers name', () => {
  let server: Loopback;
  let inside: Loopback;
  const seen: { url: string; headers: Record<string, unknown>; body: string }[] = [];
  const open = (more: GuardedFetcherOptions = {}): GuardedFetcher =>
    createGuardedFetcher({ ports: [server.port], isAllowedAddress: (address) => address === PUBLIC, ...more });
  const at = (path: string): string => `http://${PUBLIC}:${server.port}${path}`;

  const drip = (response: ServerResponse): void => {
    response.write(PNG);
    const timer = setInterval(() => response.write('.'), 20);
    response.once('close', () => clearInterval(timer));
  };

  beforeAll(async () => {
    inside = await startLoopback((_request, response) => response.end(PNG), { host: '127.0.0.2' });
    const replies: Record<string, (response: ServerResponse) => void> = {
      '/file.png': (response) => response.writeHead(200, { 'content-length': PNG.length, 'content-type': 'text/plain' }).end(PNG),
      '/slow-head': () => undefined,
      '/drip': drip,
      '/endless': (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(PNG));
        };
        response.on('drain', more);
        response.write(PNG);
        more();
      },
      '/announced': (response) => response.writeHead(200, { 'content-length': String(21 * 1024 * 1024) }).write(PNG),
      '/page': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><p>no picture</p>'),
      '/empty': (response) => response.end(),
      '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(PNG),
      '/missing': (response) => response.writeHead(404).end(PNG),
      '/cut': (response) => {
        response.writeHead(200, { 'content-length': '5000' });
        response.write(PNG, () => response.destroy());
      },
      '/to-inside': (response) => response.writeHead(302, { location: `http://127.0.0.2:${inside.port}/` }).end(),
      '/to-file': (response) => response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
      '/hook': (response) => response.writeHead(202).end('x'.repeat(100_000)),
      '/hook-moved': (response) => response.writeHead(308, { location: '/hook' }).end(),
    };
    server = await startLoopback((request, response) => {
      const url = request.url ?? '';
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({ url, headers: request.headers, body });
        const steps = /^\/redirect\/(\d+)$/.exec(url);
        if (steps !== null) {
          const left = Number(steps[1]) - 1;
          return void response.writeHead(301, { location: left === 0 ? '/file.png' : `/redirect/${left}`, 'set-cookie': 'a=b' }).end();
        }
        replies[url]?.(response);
      });
    });
  });

  beforeEach(() => void seen.splice(0));
  afterAll(() => Promise.all([server.stop(), inside.stop()]));

  it('returns a file with the type that its bytes show, and sends nothing about the gateway', async () => {
    const media = await open().fetch(question(at('/file.png')));

    expect(media).toEqual({ mediaType: 'image/png', bytes: PNG });
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(seen[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'Weir' });
  });

  it('may redirect three times, not four, and get no cookie back', async () => {
    await expect(open().fetch(question(at('/redirect/3')))).resolves.toMatchObject({ mediaType: 'image/png' });
    expect(seen.map(({ headers }) => headers['cookie'])).toEqual([undefined, undefined, undefined, undefined]);
    seen.splice(0);
    expect((await refusalOf(open().fetch(question(at('/redirect/10'))))).message).toContain('redirected more than 3 times');
    expect(seen.length).toBe(4);
  });

  it.each(['/to-inside', '/to-file'])('cannot redirect to what may not be called: %s', async (path) => {
    await refusalOf(open({ ports: [server.port, inside.port] }).fetch(question(at(path))));

    expect(inside.hits()).toBe(0);
  });

  it.each(['/slow-head', '/drip'])('have so much time and no more: %s', async (path) => {
    const began = performance.now();

    const error = await refusalOf(open({ timeoutMs: 200 }).fetch(question(at(path))));

    expect(error.message).toContain('took longer than 0.2 seconds');
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it.each([
    ['/endless', 'is too large: an image may have at most 20971520 bytes'],
    ['/announced', 'is too large'],
    ['/page', 'must lead to an image (PNG, JPEG, GIF or WebP), and its server sent something else'],
    ['/empty', 'must lead to an image'],
    ['/packed', 'compressed'],
    ['/missing', 'answered with the status 404'],
    ['/cut', 'broke off'],
  ])('are refused what %s sends', async (path, message) => {
    const error = await refusalOf(open().fetch(question(at(path))));

    expect(error.message).toContain(message);
    expect(error.details.field).toBe(FIELD);
  });

  it('are held to the size a caller of ours sets', async () => {
    expect((await refusalOf(open().fetch(question(at('/file.png'), { bytesMax: 500 })))).message).toContain('at most 500 bytes');
  });

  it('cannot be reached where no one listens', async () => {
    const gone = await startLoopback((_request, response) => response.end());
    await gone.stop();

    const error = await refusalOf(open({ ports: [gone.port] }).fetch(question(`http://${PUBLIC}:${gone.port}/`)));

    expect(error.message).toBe(`${FIELD} could not be fetched: its server could not be reached.`);
  });

  it('give a stream whose end frees the place for the next', async () => {
    const fetcher = open({ runningMax: 1 });
    const first = await fetcher.open(question(at('/file.png')));
    const second = fetcher.fetch(question(at('/file.png')));
    await expect(Promise.race([second, new Promise((resolve) => setImmediate(resolve, 'waits'))])).resolves.toBe('waits');

    expect(first).toMatchObject({ mediaType: 'image/png', contentLength: PNG.length });
    first.body.destroy();

    await expect(second).resolves.toMatchObject({ bytes: PNG });
  });

  it('are left when the caller is', async () => {
    const caller = new AbortController();
    const fetching = open().fetch(question(at('/slow-head'), { signal: caller.signal }));
    setImmediate(() => caller.abort(new Error('the caller is gone')));

    await expect(fetching).rejects.toThrow('the caller is gone');
  });

  it('take JSON, answer in bounds, and are not followed anywhere', async () => {
    const body = '{"type":"limit.reached"}';
    const reply = await open().post({ ...question(at('/hook')), body, headers: { 'x-weir-signature': 's' } });
    const moved = await open().post({ ...question(at('/hook-moved')), body, headers: {} });

    expect(reply).toEqual({ status: 202, text: 'x'.repeat(65_536) });
    expect(moved.status).toBe(308);
    expect(seen.map(({ url }) => url)).toEqual(['/hook', '/hook-moved']);
    expect(seen[0]).toMatchObject({ body, headers: { 'content-type': 'application/json', 'x-weir-signature': 's' } });
  });
});
