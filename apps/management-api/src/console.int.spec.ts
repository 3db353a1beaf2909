import { generateApiKey } from '@weir/access';
import { makeTestFolder } from '@weir/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openBrowser } from './__fixtures__/console-browser';
import { useManagement } from './__fixtures__/use-management';

const files = makeTestFolder('console');
mkdirSync(join(files, 'assets'));
writeFileSync(join(files, 'index.html'), '<!doctype html><title>Console</title>');
writeFileSync(join(files, 'assets', 'app-1.js'), 'void 0;');
writeFileSync(join(files, 'assets', 'app-1.js.br'), brotliCompressSync('void 1;'));
writeFileSync(join(files, 'assets', 'app-1.js.gz'), gzipSync('void 2;'));
writeFileSync(join(files, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');

const suite = useManagement({ consoleFiles: files });
const open = () => openBrowser(suite.harness);

async function signedIn(key = suite.ours.apiKey) {
  const browser = open();
  await browser.signIn(key);
  return browser;
}

describe('signing in', () => {
  it('says who is signed in, keeps the key from pages, and holds for later requests', async () => {
    const browser = open();
    const reply = await browser.signIn(suite.ours.apiKey);

    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      organization: { id: suite.ours.id, name: expect.any(String) },
      key: { id: suite.ours.apiKeyId, name: expect.any(String) },
      member: { id: suite.ours.userId, email: expect.stringContaining('@') },
      permissions: { completions: 'write', manage: 'write', contents: 'read' },
      is_administrator: true,
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.any(String),
    });
    expect(reply.headers.get('set-cookie')).toMatch(
      /^weir_console=[\w-]+; Max-Age=3600; Path=\/console; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const again = await browser.send('GET', '/session');
    expect([again.status, again.json]).toEqual([200, reply.json]);
    for (const { text, headers } of [reply, again]) {
      expect(`${text} ${JSON.stringify([...headers])} ${decodeURIComponent(browser.cookie)}`).not.toContain(suite.ours.apiKey);
    }
    expect(suite.harness.logged.join()).not.toContain(suite.ours.apiKey);
  });

  it('sets a cookie for https alone where a trusted proxy says that the browser came by it', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const reply = await open().send('POST', '/session', { body: { api_key: suite.ours.apiKey }, headers });

    expect(reply.headers.get('set-cookie')).toContain('; Secure');
  });

  it('refuses keys that open nothing with 401, and bodies and pages that are not its own', async () => {
    const wrong = await open().signIn(generateApiKey('test'));
    expect([wrong.status, wrong.json.error.origin, wrong.headers.get('set-cookie')]).toEqual([401, 'router', null]);
    expect((await open().send('POST', '/session', { body: { key: 'x' } })).status).toBe(400);
    const body = { api_key: suite.ours.apiKey };
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const reply = await open().send('POST', '/session', { body, headers: headers as Record<string, string> });
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([403, null]);
    }
    expect((await open().send('POST', '/session', { body, headers: { origin: suite.harness.url } })).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends when it is not used, in the end however much it is used, and with its key', async () => {
    const browser = await signedIn();
    const start = Date.now();
    const { secret, id } = await suite.createKey();
    const other = await signedIn(secret);
    for (let minutes = 50; minutes < 7 * 24 * 60; minutes += 50) {
      suite.harness.now = () => start + minutes * 60_000;
      if ((await browser.send('GET', '/session')).status !== 200) throw new Error(`ended after ${minutes} minutes`);
    }
    suite.harness.now = () => start + 7 * 86_400_000 + 60_000;
    expect((await browser.send('GET', '/session')).status).toBe(401);

    suite.harness.now = () => Date.now();
    expect((await other.send('GET', '/session')).status).toBe(200);
    await suite.send('DELETE', `/v1/manage/apikey/${id}`);
    const ended = await other.send('GET', '/session');
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([401, expect.stringContaining('weir_console=;')]);
    expect((await (await signedIn()).send('GET', '/api/v1/manage/apikey')).status).toBe(200);
  });

  it('ends after an hour without use', async () => {
    const browser = await signedIn();
    suite.harness.now = () => Date.now() + 3_700_000;
    expect((await browser.send('GET', '/session')).status).toBe(401);
  });

  it('ends by signing out, which needs its token', async () => {
    const browser = await signedIn();
    expect((await browser.send('DELETE', '/session', { csrf: null })).status).toBe(403);
    const reply = await browser.send('DELETE', '/session');
    expect([reply.status, browser.cookie]).toEqual([204, 'weir_console=']);
    expect((await browser.send('GET', '/session')).status).toBe(401);
    expect(await suite.works(suite.ours.apiKey)).toBe(true);
  });

  it('is none for cookies that no one sealed', async () => {
    for (const cookie of ['weir_console=abc', 'weir_console=', 'weir_console=%00', `weir_console=${'a'.repeat(5000)}`]) {
      expect((await open().send('GET', '/session', { headers: { cookie } })).status).toBe(401);
    }
    const browser = await signedIn();
    // A cookie of another path or host comes first, and is none of ours.
    const tossed = await open().send('GET', '/session', { headers: { cookie: `weir_console=abc; ${browser.cookie}` } });
    expect(tossed.status).toBe(200);
  });
});

describe('the interface as a session calls it', () => {
  it('is that of the session’s key, whatever else the request carries', async () => {
    const other = await suite.seedOther();
    const browser = await signedIn();
    const headers = { authorization: `Bearer ${other.apiKey}`, 'x-api-key': other.apiKey };
    const read = await browser.send('GET', '/api/v1/manage/org', { headers });
    expect([read.status, read.json.organization['id']]).toEqual([200, suite.ours.id]);
    const made = await browser.send('POST', '/api/v1/manage/group', { body: { name: 'made in the console' }, headers });
    expect(made.status).toBe(200);
    expect((await suite.get('/v1/manage/group')).groups.map(({ name }) => name)).toEqual(['made in the console']);
    expect(read.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('changes nothing without the token of the session, or for a page of another origin', async () => {
    const browser = await signedIn();
    const ask = async (asked: { csrf?: string | null; headers?: Record<string, string> }) => {
      const reply = await browser.send('POST', '/api/v1/manage/group', { body: { name: 'forged' }, ...asked });
      return [reply.status, reply.json.error.origin];
    };
    const refused = [403, 'router'];
    expect(await ask({ csrf: null })).toEqual(refused);
    expect(await ask({ csrf: 'x'.repeat(43) })).toEqual(refused);
    expect(await ask({ csrf: (await signedIn()).csrfToken })).toEqual(refused);
    expect(await ask({ headers: { origin: 'https://evil.example' } })).toEqual(refused);
    expect(await ask({ headers: { 'sec-fetch-site': 'same-site' } })).toEqual(refused);
    expect((await suite.get('/v1/manage/group')).groups).toEqual([]);
  });

  it('is closed without a session, to scripts and styles, and beside the paths of the interface', async () => {
    expect((await open().send('GET', '/api/v1/manage/org')).status).toBe(401);
    const browser = await signedIn();
    expect((await browser.send('GET', '/api/v1/manage/org', { headers: { 'sec-fetch-dest': 'script' } })).status).toBe(403);
    for (const path of [
      '/api/internal/secret-alert',
      '/api/console/session',
      '/api/healthz',
      '/api/v1/%2e%2e/internal',
      '/api//v1/models',
    ]) {
      expect([path, (await browser.send('GET', path)).status]).toEqual([path, 404]);
    }
  });

  it('says that it does not know the gateway where no one has set its address', async () => {
    const reply = await (await signedIn()).send('GET', '/api/v1/models');
    expect([reply.status, reply.json.error.message]).toEqual([503, expect.stringContaining('CONSOLE_GATEWAY_URL')]);
  });
});

describe('a link', () => {
  it('signs in with the key that is known, once', async () => {
    const path = suite.harness.console.offerLink(suite.ours.apiKey).slice('/console'.length);
    expect((await open().send('HEAD', path)).headers.get('set-cookie')).toBeNull();
    const browser = open();
    const entered = await browser.send('GET', path);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/console/']);
    expect((await browser.send('GET', '/session')).json.key['id']).toBe(suite.ours.apiKeyId);

    const again = await open().send('GET', path);
    expect([again.status, again.headers.get('location'), again.headers.get('set-cookie')]).toEqual([
      303,
      '/console/sign-in?reason=link',
      null,
    ]);
  });

  it('is too old after a quarter of an hour, and unknown ones do nothing', async () => {
    const path = suite.harness.console.offerLink(suite.ours.apiKey).slice('/console'.length);
    suite.harness.now = () => Date.now() + 16 * 60_000;
    for (const asked of [path, '/enter?token=x', '/enter', '/enter?token=a&token=b']) {
      expect((await open().send('GET', asked)).headers.get('location')).toBe('/console/sign-in?reason=link');
    }
  });

  it('makes a key of its own where none is known, which acts for an administrator and ends with signing out', async () => {
    await suite.harness.database.prisma.apiKey.update({ where: { id: suite.ours.apiKeyId }, data: { seededHash: new Uint8Array([1]) } });
    await suite.harness.database.prisma.apiKey.updateMany({ where: { id: { not: suite.ours.apiKeyId } }, data: { seededHash: null } });
    const browser = open();
    await browser.send('GET', suite.harness.console.offerLink(generateApiKey('test')).slice('/console'.length));
    const session = await browser.send('GET', '/session');
    const { csrf_token: token, is_administrator: isAdministrator, permissions, member } = session.json as Record<string, unknown>;
    expect([isAdministrator, permissions, member]).toEqual([true, { completions: 'write', manage: 'write', contents: 'none' }, null]);
    expect((await browser.send('GET', '/api/v1/manage/org')).json.organization['id']).toBe(suite.ours.id);
    const kept = browser.cookie;
    expect((await browser.send('DELETE', '/session', { csrf: String(token) })).status).toBe(204);
    expect((await open().send('GET', '/session', { headers: { cookie: kept } })).status).toBe(401);
  });
});

describe('the pages', () => {
  it('are the same for every path that is no file, in no frame, and run nothing but what they bring', async () => {
    for (const path of ['', '/', '/requests', '/requests/abc?x=1', '/models/openai%2Fgpt', '/..%2f..%2fetc%2fpasswd', '/%zz']) {
      const page = await open().send('GET', path);
      if (path === '/%zz') {
        expect(page.status).toBe(400);
        continue;
      }
      expect([path, page.status, page.text]).toEqual([path, 200, '<!doctype html><title>Console</title>']);
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
    }
    expect((await open().send('HEAD', '/requests')).status).toBe(200);
  });

  it('are kept for ever where their names say what they hold, and missing where they are', async () => {
    const script = await open().send('GET', '/assets/app-1.js', { headers: { 'accept-encoding': 'identity' } });
    expect([script.status, script.text, script.headers.get('cache-control'), script.headers.get('content-type')]).toEqual([
      ...[200, 'void 0;', 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
    ]);
    for (const [accepted, encoding, text] of [
      ['gzip, br', 'br', 'void 1;'],
      ['gzip', 'gzip', 'void 2;'],
    ] as const) {
      const compressed = await open().send('GET', '/assets/app-1.js', { headers: { 'accept-encoding': accepted } });
      expect([compressed.text, compressed.headers.get('content-encoding'), compressed.headers.get('cache-control')]).toEqual([
        ...[text, encoding, 'public, max-age=31536000, immutable'],
      ]);
      expect(compressed.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(compressed.headers.get('content-type')).toMatch(/^text\/javascript; charset=utf-8$/i);
    }
    expect((await open().send('GET', '/mark.svg')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await open().send('GET', '/assets/app-2.js')).status).toBe(404);
    expect((await open().send('GET', '/assets/..%2findex.html')).status).toBe(404);
  });
});
