import { createTopics } from '@weir/kafka';
import { describeWithRealParts, signInAtProvider, startOidcProvider, type OidcProvider } from '@weir/testing';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { startStandalone, type Harness } from '../harness/start-standalone';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

type Served = Pick<Harness, 'managementUrl' | 'apiKey'>;

/** A browser at the console: its cookie, and the token of its session. */
type Browser = { readonly cookie: string; readonly csrfToken: string };

async function signIn({ managementUrl, apiKey }: Served): Promise<Browser> {
  const reply = await fetch(`${managementUrl}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  expect(reply.status).toBe(200);
  const { csrf_token: csrfToken } = (await reply.json()) as { csrf_token: string };
  return { cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '', csrfToken };
}

function ask({ managementUrl }: Served, { cookie }: Browser, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${managementUrl}/console${path}`, { ...init, headers: { cookie, ...(init.headers as Record<string, string>) } });
}

function stream(more: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
    body: JSON.stringify({ model: 'sandbox/chat', stream: true, messages: [{ role: 'user', content: '!tokens 20 !gap 50' }] }),
  };
}

/** What every shape of the gateway does for a browser. */
function testConsole(served: () => Served): void {
  it('signs in, and calls the interface with the key that only the cookie has', async () => {
    const browser = await signIn(served());
    const models = await ask(served(), browser, '/api/v1/models');
    expect([models.status, ((await models.json()) as { data: unknown[] }).data.length > 0]).toEqual([200, true]);
    const keys = await ask(served(), browser, '/api/v1/manage/apikey');
    expect([keys.status, models.headers.get('set-cookie')]).toEqual([200, null]);
  });

  it('hands on a streamed chat piece by piece, with the id of its request', async () => {
    const browser = await signIn(served());
    const reply = await ask(served(), browser, '/api/v1/chat/completions', stream({ 'x-csrf-token': browser.csrfToken }));
    let pieces = 0;
    let text = '';
    for await (const piece of reply.body as ReadableStream<Uint8Array>) {
      pieces += 1;
      text += Buffer.from(piece).toString();
    }
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-encoding')]).toEqual([
      ...[200, expect.stringContaining('text/event-stream'), null],
    ]);
    expect([pieces > 5, text.trimEnd().endsWith('data: [DONE]')]).toEqual([true, true]);
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('changes nothing for a page that does not know the token, or is of another origin', async () => {
    const browser = await signIn(served());
    for (const path of ['/api/v1/chat/completions', '/api/v1/manage/group']) {
      expect((await ask(served(), browser, path, stream({}))).status).toBe(403);
    }
    const foreign = stream({ 'x-csrf-token': browser.csrfToken, origin: 'https://evil.example' });
    expect((await ask(served(), browser, '/api/v1/chat/completions', foreign)).status).toBe(403);
  });

  it('ends the session within five seconds when its key is revoked', async () => {
    const authorization = `Bearer ${served().apiKey}`;
    const made = await fetch(`${served().managementUrl}/v1/manage/apikey`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'of a session' }),
    });
    const { api_key: apiKey, api_key_id: id } = (await made.json()) as { api_key: string; api_key_id: string };
    const browser = await signIn({ ...served(), apiKey });
    await fetch(`${served().managementUrl}/v1/manage/apikey/${id}`, { method: 'DELETE', headers: { authorization } });
    const untilMs = Date.now() + 5_000;
    let status = 0;
    while (status !== 401 && Date.now() < untilMs) {
      ({ status } = await ask(served(), browser, '/session'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(status).toBe(401);
  });
}

/** Signs in by the link that a start has printed, and again. */
async function enterTwice({ url, process }: Harness): Promise<(string | null | number)[]> {
  const [, link = ''] = /(http:\/\/\S+\/console\/enter\?token=\S+)/.exec(process.output()) ?? [];
  const first = await fetch(link, { redirect: 'manual' });
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = await fetch(`${url}/console/session`, { headers: { cookie } });
  const { is_administrator: isAdministrator } = (await session.json()) as { is_administrator: boolean };
  const second = await fetch(link, { redirect: 'manual' });
  return [first.headers.get('location'), session.status, String(isAdministrator), second.headers.get('location')];
}

const ENTERED = ['/console/', 200, 'true', '/console/sign-in?reason=link'];

describe('the console in one process', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startStandalone();
  });
  afterAll(() => harness.process.terminate());
  testConsole(() => harness);

  it('is where browsers are sent, and programs are not', async () => {
    const page = await fetch(harness.url, { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/console/']);
    expect(await (await fetch(harness.url)).json()).toMatchObject({ name: 'weir' });
  });

  it('is entered once by the printed link, at a later start with a key that is made for it', async () => {
    expect(await enterTwice(harness)).toEqual(ENTERED);
    await harness.process.terminate();
    const { dataDir } = harness;
    harness = await startStandalone({ dataDir, env: { BOOTSTRAP_API_KEY: '' } });
    expect(await enterTwice(harness)).toEqual(ENTERED);
    // Log lines say which paths were asked for, not with which token or key.
    expect(harness.process.output().match(/token=/g)).toHaveLength(1);
    expect(harness.process.output()).not.toMatch(/"authorization"|weir_live_/);
  });

  it('is not there where it is switched off', async () => {
    await harness.process.terminate();
    harness = await startStandalone({ dataDir: harness.dataDir, env: { CONSOLE: 'false' } });
    const page = await fetch(harness.url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const missing = await fetch(`${harness.url}/console/`);
    expect([page.status, missing.status, harness.process.output().includes('/console')]).toEqual([200, 404, false]);
  });
});

describe('the console of several processes', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startStandalone({ env: { PROCESSES: '2' } });
  });
  afterAll(() => harness.process.terminate());
  testConsole(() => harness);

  it('is entered once by the printed link', async () => {
    expect(await enterTwice(harness)).toEqual(ENTERED);
  });
});

const CONSOLE_URL = 'https://console.example';

describeWithRealParts(['postgres', 'redis', 'kafka'], 'the console of services apart', () => {
  let harness: DistributedHarness;
  let parts: TakenParts;
  let provider: OidcProvider;
  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    const ann = { email: 'ann@acme.example', email_verified: true, groups: ['admins'] };
    provider = await startOidcProvider(`${CONSOLE_URL}/console/oidc/callback`, { ann });
    const oidc = {
      ...{
        CONSOLE_OIDC_ISSUER: provider.issuer,
        CONSOLE_OIDC_CLIENT_ID: provider.clientId,
        CONSOLE_OIDC_CLIENT_SECRET: provider.clientSecret,
      },
      ...{ CONSOLE_OIDC_SCOPES: 'openid email groups', CONSOLE_OIDC_ROLES: '{"admins":"admin"}', CONSOLE_URL },
    };
    harness = await startDistributed(parts, {}, { 'management-api': oidc });
  }, 180_000);
  afterAll(async () => {
    await harness.stop();
    await provider.stop();
    await parts.stop();
  }, 60_000);
  testConsole(() => harness);

  it('begins at a provider of OpenID Connect, with a key that every service knows', async () => {
    const { managementUrl } = harness;
    const started = await fetch(`${managementUrl}/console/oidc/start`, { redirect: 'manual' });
    const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? '';
    const callback = await signInAtProvider(started.headers.get('location') ?? '', { name: 'ann', password: 'any' });
    const finished = await fetch(callback.replace(CONSOLE_URL, managementUrl), { redirect: 'manual', headers: { cookie } });
    expect(finished.headers.get('location')).toBe('/console/');
    const session = finished.headers.getSetCookie().find((each) => each.startsWith('weir_console=')) ?? '';
    const browser = { cookie: session.split(';')[0] ?? '', csrfToken: '' };
    // Of management, and of the edge, which asks the same database.
    const requests = await ask(harness, browser, '/api/v1/generation');
    const members = await ask(harness, browser, '/api/v1/manage/org/member');
    expect([requests.status, members.status]).toEqual([200, 200]);
    expect(JSON.stringify(await members.json())).toContain('ann@acme.example');
  });
});
