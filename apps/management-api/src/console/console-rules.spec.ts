import { createRingSealer } from '@weir/sealing';
import type { Request } from 'express';
import { createBrowserOrigin } from './browser-origin';
import { pickReplyHeaders, pickSentHeaders } from './forwarded-headers';
import { readCookie } from './read-cookie';
import { readTarget } from './read-target';
import { createSessionCookies } from './session-cookie';
import { createSignInLinks } from './sign-in-links';

function ask(headers: Record<string, string>, address = '10.0.0.1', method = 'POST'): Request {
  const get = (name: string): string | undefined => headers[name.toLowerCase()];
  return { method, headers, get, socket: { remoteAddress: address } } as unknown as Request;
}

describe('a Cookie header', () => {
  it('is read for one name, without what no one sealed', () => {
    expect(readCookie('a=1; weir_console=abc-_1;b=2', 'weir_console')).toEqual(['abc-_1']);
    expect(readCookie('weir_console=one; weir_console=two', 'weir_console')).toEqual(['one', 'two']);
    expect(readCookie(`weir_console=${'a'.repeat(4097)}; weir_console="q"; xweir_console=1; weir_console`, 'weir_console')).toEqual([]);
    expect(readCookie(undefined, 'weir_console')).toEqual([]);
    expect(readCookie('weir_console=a; '.repeat(1000), 'weir_console')).toHaveLength(4);
  });
});

describe('a session in its cookie', () => {
  const sealer = createRingSealer('a sealing key of 32 or more characters', 'console session');
  const start = 1_800_000_000_000;
  let nowMs = start;
  const cookies = createSessionCookies({ sealer, idleMs: 600_000, now: () => nowMs, isSecure: () => true });
  const set: string[] = [];
  const response = { cookie: (_name: string, value: string) => void set.push(value) } as never;
  const send = (value: string): Request => ask({ cookie: `weir_console=${value}` });
  beforeEach(() => {
    nowMs = start;
    set.length = 0;
  });

  it('is read until it is idle for too long, and is noted as used a minute later', () => {
    const session = cookies.begin(ask({}), response, 'a key');
    expect(cookies.read(send(set[0] as string))).toEqual(session);
    nowMs = start + 59_000;
    cookies.keepAlive(ask({}), response, session);
    expect(set).toHaveLength(1);
    nowMs = start + 300_000;
    cookies.keepAlive(ask({}), response, session);
    nowMs = start + 600_000;
    expect(cookies.read(send(set[0] as string))).toBeUndefined();
    expect(cookies.read(send(set[1] as string))).toEqual({ ...session, usedAtMs: start + 300_000 });
  });

  it('is none when what was sealed is no session', () => {
    for (const text of ['{}', '[]', 'null', '{"key":"a key"}']) expect(cookies.read(send(sealer.seal(text)))).toBeUndefined();
  });
});

describe('the origin of a request', () => {
  const origin = createBrowserOrigin(['10.0.0.0/8']);
  const isSame = (headers: Record<string, string>, address?: string): boolean => {
    try {
      origin.checkSameOrigin(ask({ host: 'weir.example', ...headers }, address));
      return true;
    } catch {
      return false;
    }
  };

  it('is that of the console, as the browser says or by its host', () => {
    expect([isSame({}), isSame({ 'sec-fetch-site': 'same-origin' }), isSame({ origin: 'https://weir.example' })]).toEqual([
      true,
      true,
      true,
    ]);
    for (const site of ['cross-site', 'same-site', 'none', '']) expect(isSame({ 'sec-fetch-site': site })).toBe(false);
    for (const other of ['https://evil.example', 'https://weir.example.evil', 'null', '']) expect(isSame({ origin: other })).toBe(false);
  });

  it('is what a proxy says of it only where the proxy is trusted', () => {
    const forwarded = { origin: 'https://console.example', 'x-forwarded-host': 'console.example' };
    expect([isSame(forwarded), isSame(forwarded, '192.0.2.1')]).toEqual([true, false]);
    const isSecure = (address: string): boolean => origin.isSecure(ask({ 'x-forwarded-proto': 'https, http' }, address));
    expect([isSecure('10.2.3.4'), isSecure('192.0.2.1')]).toEqual([true, false]);
    expect(origin.isSecure(ask({}))).toBe(false);
  });
});

describe('a path of the console’s copy of the interface', () => {
  it('is one of the interface', () => {
    for (const path of ['/v1/models', '/v1/models/openai%2Fgpt-4?x=../y', '/x/apikey', '/openapi.json', '/v1/generation/a.b'])
      expect(readTarget(`/console/api${path}`)).toBe(path);
  });

  it('is none that means another one to somebody', () => {
    for (const path of [
      '',
      '/',
      '/internal/x',
      '/v1',
      '/v1/../internal',
      '/v1/%2E%2e/x',
      '/v1/a%2f..%2fb',
      '/v1/..\\x',
      '//v1/x',
      '/openapi.json/x',
      '/v1/.',
    ])
      expect(() => readTarget(`/console/api${path}`)).toThrow('The console reaches');
    expect(() => readTarget('http://evil.example/console/api/v1/models')).toThrow('The console reaches');
  });
});

describe('headers', () => {
  it('go on where endpoints read them, with the key of the session', () => {
    const sent = pickSentHeaders(
      {
        ...{
          authorization: 'Bearer theirs',
          'x-api-key': 'theirs',
          cookie: 'a=b',
          host: 'h',
          origin: 'o',
          'x-csrf-token': 't',
          connection: 'close',
        },
        ...{
          'content-type': 'application/json',
          accept: '*/*',
          'idempotency-key': 'i',
          'x-weir-cache': 'on',
          'transfer-encoding': 'chunked',
        },
        ...{ 'x-forwarded-for': '1.2.3.4', 'sec-fetch-site': 'same-origin', 'proxy-authorization': 'x' },
      },
      'own',
    );
    expect(sent).toEqual({
      ...{
        'content-type': 'application/json',
        accept: '*/*',
        'idempotency-key': 'i',
        'x-weir-cache': 'on',
        'transfer-encoding': 'chunked',
      },
      authorization: 'Bearer own',
    });
  });

  it('come back without cookies and what was for this connection, and no stream is held back', () => {
    const headers = { 'set-cookie': ['a=b'], connection: 'close, x-once', 'x-once': '1', 'keep-alive': 'timeout=5', 'x-request-id': 'r' };
    expect(pickReplyHeaders({ ...headers, 'cache-control': 'public, max-age=300' })).toEqual({
      'x-request-id': 'r',
      'cache-control': 'private, max-age=300',
    });
    expect(pickReplyHeaders({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })['cache-control']).toBe(
      'no-cache, no-transform',
    );
    expect(pickReplyHeaders({ 'content-type': 'text/event-stream; charset=utf-8' })['cache-control']).toBe('no-cache, no-transform');
  });
});

describe('a link', () => {
  it('is taken once, and not when it is old', () => {
    let nowMs = 0;
    const links = createSignInLinks(() => nowMs);
    const [first, second] = [links.offer({ apiKey: 'a key' }), links.offer({ apiKey: undefined })];
    expect([links.take(first), links.take(first)]).toEqual([{ apiKey: 'a key' }, undefined]);
    nowMs = 15 * 60_000;
    expect([links.take(second), links.take('x'), links.take(['a']), links.take(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
