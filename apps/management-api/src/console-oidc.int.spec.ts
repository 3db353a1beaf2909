import { describeWithRealParts, getKeycloak, signInAtProvider, startOidcProvider, type OidcAccounts } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import type { ConsoleParts } from './console/console-parts';
import type { OidcRoles } from '@weir/config';
import { openBrowser, type ConsoleBrowser } from './__fixtures__/console-browser';
import { makeKeycloakRealm, PASSWORD } from './__fixtures__/keycloak-realm';
import { startLyingProvider, type LyingProvider } from './__fixtures__/lying-provider';
import { useManagement, type ManagementSuite } from './__fixtures__/use-management';

// The first of them to run has Keycloak fetched and built, for which the others wait.
jest.setTimeout(420_000);

const CONSOLE_URL = 'https://console.example';
const REDIRECT_URI = `${CONSOLE_URL}/console/oidc/callback`;
const ROLES: OidcRoles = new Map([
  ['weir-admins', { role: 'admin', groups: [] }],
  [
    'research',
    {
      role: 'member',
      groups: [
        { name: 'Research', role: 'member' },
        { name: 'Ghosts', role: 'member' },
      ],
    },
  ],
  ['leads', { role: 'member', groups: [{ name: 'Research', role: 'admin' }] }],
]);

type Settings = NonNullable<ConsoleParts['oidc']>;
type Mutable = { -readonly [Name in keyof Settings]: Settings[Name] };

const settings: Mutable = {
  ...{ issuer: '', clientId: 'weir', clientSecret: undefined, name: 'Acme', scopes: 'openid email profile', groupsClaim: 'groups' },
  ...{ roles: ROLES, organizationId: undefined, trustsEmail: false, consoleUrl: CONSOLE_URL },
};

/** A browser that has asked to sign in, and where it is sent. */
async function start(suite: ManagementSuite, back = ''): Promise<{ browser: ConsoleBrowser; url: URL }> {
  const browser = openBrowser(suite.harness);
  const reply = await browser.send('GET', `/oidc/start${back}`);
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([303, 'no-store']);
  expect(reply.headers.get('set-cookie')).toMatch(
    /^weir_console_oidc=[\w-]+; Max-Age=600; Path=\/console\/oidc; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
  return { browser, url: new URL(reply.headers.get('location') ?? '') };
}

/** Goes back to the console with what the provider has said. */
function comeBack(browser: ConsoleBrowser, callback: string) {
  return browser.send('GET', callback.slice(`${CONSOLE_URL}/console`.length));
}

async function readSession(browser: ConsoleBrowser, setCookie: readonly string[]) {
  const cookie = setCookie.find((each) => each.startsWith('weir_console='))?.split(';')[0] ?? '';
  browser.cookie = cookie;
  const reply = await browser.send('GET', '/session');
  browser.csrfToken = String((reply.json as Record<string, unknown>)['csrf_token']);
  return reply;
}

type Provider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  setAccounts(accounts: OidcAccounts): Promise<void>;
};

/** What must hold at every provider. */
function testProvider(findProvider: () => Provider, scopes: string, isQuick = false): void {
  const suite = useManagement({ oidc: settings, attempts: { perAddress: 1_000, inTotal: 1_000 } });
  let name: string;
  let email: string;
  beforeEach(() => {
    name = `p${randomUUID().slice(0, 8)}`;
    email = `${name}@acme.example`;
    const { issuer, clientId, clientSecret } = findProvider();
    Object.assign(settings, { issuer, clientId, clientSecret, scopes, roles: ROLES, organizationId: suite.ours.id });
  });

  const set = (claims: Record<string, unknown>): Promise<void> =>
    findProvider().setAccounts({ [name]: { email, email_verified: true, given_name: 'Ann', family_name: 'Smith', ...claims } });
  const signIn = async (back?: string) => {
    const { browser, url } = await start(suite, back);
    const callback = await signInAtProvider(url.href, { name, password: PASSWORD });
    const reply = await comeBack(browser, callback);
    return { browser, callback, reply, location: reply.headers.get('location') ?? '' };
  };
  const open = async () => {
    const { browser, reply, location } = await signIn();
    expect(location).toBe('/console/');
    const session = await readSession(browser, reply.headers.getSetCookie());
    expect(session.status).toBe(200);
    return { browser, session: session.json as Record<string, unknown> };
  };
  const audit = async (): Promise<unknown[]> => {
    const rows = await suite.harness.database.prisma.auditLog.findMany({
      where: { organizationId: suite.ours.id },
      orderBy: { sequence: 'asc' },
    });
    return rows.map(({ action, actorKind, before, after }) => ({ action, actorKind, before, after }));
  };

  it('signs in somebody new whose group has a role, with a key of the session that goes through the interface', async () => {
    await set({ groups: ['research', 'others'] });
    const group = await suite.make.group({ name: 'Research' });
    const { browser, reply, location } = await signIn('?return=%2Fconsole%2Frequests%3Fmodel%3Da');
    expect(location).toBe('/console/requests?model=a');
    const cookies = reply.headers.getSetCookie();
    expect(cookies).toContainEqual(expect.stringMatching(/^weir_console_oidc=; Path=\/console\/oidc; Expires=Thu, 01 Jan 1970/));
    expect(cookies).toContainEqual(expect.stringMatching(/^weir_console=[\w-]+; .*HttpOnly; SameSite=Strict$/));
    const session = await readSession(browser, cookies);
    const { userId } = await suite.harness.database.prisma.userIdentity.findFirstOrThrow({ where: { user: { email } } });
    expect(session.json).toMatchObject({
      ...{ organization: { id: suite.ours.id }, member: { id: userId, email }, is_administrator: false },
      permissions: { completions: 'write', manage: 'write' },
    });
    const own = await browser.send('GET', '/api/v1/manage/apikey/self');
    expect(own.json.key).toMatchObject({ name: 'Console', group: { id: group } });
    expect((await browser.send('GET', '/api/v1/manage/org')).status).toBe(403);
    expect(await audit()).toEqual([
      expect.anything(),
      { action: 'sign-in', actorKind: 'operator', before: null, after: expect.objectContaining({ user_email: email, role: 'member' }) },
      expect.objectContaining({ action: 'add-group-member', actorKind: 'operator' }),
      expect.objectContaining({ action: 'open-session', actorKind: 'user' }),
    ]);
    expect(suite.harness.logged.join()).toContain('Ghosts');
  });

  it('refuses a code that was used, and a browser that has not begun', async () => {
    await set({ groups: ['research'] });
    const { browser, url } = await start(suite);
    const { cookie } = browser;
    const callback = await signInAtProvider(url.href, { name, password: PASSWORD });
    const stranger = await comeBack(openBrowser(suite.harness), callback);
    expect(stranger.headers.get('location')).toBe('/console/sign-in?reason=expired');
    expect((await comeBack(browser, callback)).headers.get('location')).toBe('/console/');
    browser.cookie = cookie;
    expect((await comeBack(browser, callback)).headers.get('location')).toBe('/console/sign-in?reason=expired');
    const other = await start(suite);
    expect((await comeBack(other.browser, callback)).headers.get('location')).toBe('/console/sign-in?reason=expired');
  });

  it('finds a member by an address that is verified, and no one by one that is not', async () => {
    await suite.make.member({ email });
    await set({ groups: [], email_verified: false });
    expect((await signIn()).location).toBe('/console/sign-in?reason=email');
    await set({ groups: [] });
    const { session } = await open();
    expect(session).toMatchObject({ member: { email }, is_administrator: false });
    // From here on they are known by their subject.
    await set({ groups: [], email: `new-${email}`, email_verified: false });
    expect((await open()).session).toMatchObject({ member: { email } });
  });

  it('refuses somebody new without a group that has a role, and everybody new where no group has one', async () => {
    await set({ groups: ['others'] });
    expect((await signIn()).location).toBe('/console/sign-in?reason=group');
    settings.roles = undefined;
    await set({ groups: ['weir-admins'] });
    expect((await signIn()).location).toBe('/console/sign-in?reason=group');
    expect(await suite.harness.database.prisma.userAccount.findUnique({ where: { email } })).toBeNull();
  });

  it('raises and lowers the role as the groups say, and keeps the last administrator', async () => {
    await suite.make.member({ email });
    await set({ groups: ['weir-admins'] });
    const raised = await open();
    expect(raised.session).toMatchObject({ is_administrator: true });
    await set({ groups: ['research'] });
    expect((await open()).session).toMatchObject({ is_administrator: false });
    const roles = (await audit()).filter((row) => (row as { action: string }).action === 'set-member-role');
    expect(roles).toMatchObject([
      { actorKind: 'operator', before: { role: 'member' }, after: { role: 'admin' } },
      { actorKind: 'operator', before: { role: 'admin' }, after: { role: 'member' } },
    ]);
    // Also for the session that was opened before.
    expect((await raised.browser.send('GET', '/api/v1/manage/org')).status).toBe(403);

    await set({ groups: ['weir-admins'] });
    await open();
    const { prisma } = suite.harness.database;
    await prisma.orgMember.updateMany({ where: { organizationId: suite.ours.id, userId: suite.ours.userId }, data: { role: 'member' } });
    await set({ groups: [] });
    expect((await open()).session).toMatchObject({ is_administrator: true });
    expect(suite.harness.logged.join()).toContain('the last administrator keeps their role');
  });

  // What the claims are is the same from everyone; this one is quicker to change.
  if (isQuick)
    it('follows the groups of the claims and their roles, and leaves alone who was put in by hand', async () => {
      const [research, byHand] = [await suite.make.group({ name: 'Research' }), await suite.make.group({ name: 'Ghosts' })];
      const userId = await suite.make.member({ email });
      await suite.send('POST', `/v1/manage/group/${byHand}/member`, { user_id: userId, role: 'admin' });
      const readRoles = async (): Promise<unknown> =>
        suite.harness.database.prisma.groupMember.findMany({
          where: { userId },
          select: { groupId: true, role: true, source: true },
          orderBy: { createdAt: 'asc' },
        });
      const kept = { groupId: byHand, role: 'admin', source: 'manual' };
      for (const [groups, role] of [
        [['research'], 'member'],
        [['leads', 'research'], 'admin'],
        [['research'], 'member'],
      ] as const) {
        await set({ groups: [...groups] });
        await open();
        expect(await readRoles()).toEqual([kept, { groupId: research, role, source: 'oidc' }]);
      }
      await set({ groups: ['others'] });
      await open();
      expect(await readRoles()).toEqual([kept]);
      const actions = (await audit()).map((row) => (row as { action: string }).action).filter((action) => action.includes('group-member'));
      const ours = ['add-group-member', 'set-group-member-role', 'set-group-member-role', 'remove-group-member'];
      expect(actions).toEqual(['add-group-member', ...ours]);
    });

  it('ends the session of who is taken out within five seconds, and lets them in no more until they are added again', async () => {
    await set({ groups: ['research'] });
    const { browser, session } = await open();
    const { id } = session['member'] as { id: string };
    await suite.send('DELETE', `/v1/manage/org/member/${id}`);
    expect((await browser.send('GET', '/session')).status).toBe(401);
    expect((await signIn()).location).toBe('/console/sign-in?reason=offboarded');
    await suite.send('POST', '/v1/manage/org/member', { email });
    await open();
  });

  it('deletes the key of the session with signing out', async () => {
    await set({ groups: ['research'] });
    const { browser, session } = await open();
    expect((await browser.send('DELETE', '/session')).status).toBe(204);
    const key = await suite.harness.database.prisma.apiKey.findUniqueOrThrow({ where: { id: (session['key'] as { id: string }).id } });
    expect([key.status, key.isSession, key.expiresAt !== null]).toEqual(['revoked', true, true]);
  });
}

describe('signing in at a certified provider', () => {
  let provider: Provider & { stop(): Promise<void> };
  beforeAll(async () => {
    provider = await startOidcProvider(REDIRECT_URI, {});
  });
  afterAll(() => provider.stop());
  testProvider(() => provider, 'openid email profile groups', true);
});

describeWithRealParts(['keycloak'], 'signing in at a real Keycloak', () => {
  let realm: Awaited<ReturnType<typeof makeKeycloakRealm>>;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const keycloak = await getKeycloak();
    if (keycloak === undefined) throw new Error('Keycloak went away');
    stop = () => keycloak.stop();
    realm = await makeKeycloakRealm(keycloak, REDIRECT_URI);
  });
  afterAll(async () => {
    await realm.remove();
    await stop();
  });
  testProvider(() => realm, 'openid email profile');
});

describe('what a provider sends', () => {
  let provider: LyingProvider;
  beforeAll(async () => {
    provider = await startLyingProvider();
  });
  afterAll(() => provider.stop());
  const suite = useManagement({ oidc: settings, attempts: { perAddress: 1_000, inTotal: 1_000 } });
  beforeEach(() => {
    Object.assign(settings, {
      issuer: provider.issuer,
      clientId: 'weir',
      clientSecret: 's: %',
      scopes: 'openid',
      roles: ROLES,
      organizationId: suite.ours.id,
    });
    Object.assign(provider, { claims: {}, signsWrong: false, failure: undefined, isDown: false });
  });

  /** Signs in with a token that is right but for `claims`, and returns where that leads. */
  async function signInWith(claims: Record<string, unknown> = {}): Promise<string> {
    const { browser, url } = await start(suite);
    const person = { sub: randomUUID(), email: `${randomUUID()}@acme.example`, email_verified: true, groups: ['research'] };
    provider.claims = { nonce: url.searchParams.get('nonce'), ...person, ...claims };
    const state = url.searchParams.get('state') ?? '';
    const reply = await comeBack(browser, `${REDIRECT_URI}?${new URLSearchParams({ code: 'a code', state }).toString()}`);
    return reply.headers.get('location') ?? '';
  }

  it('is asked for as the standard says', async () => {
    const { url } = await start(suite);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ client_id: 'weir', response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid', code_challenge_method: 'S256' },
      ...{
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(await signInWith()).toBe('/console/');
    expect(provider.proofs.at(-1)).toBe(`Basic ${Buffer.from('weir:s%3A+%25').toString('base64')}`);
  });

  const past = Math.floor(Date.now() / 1000) - 120;
  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another' }],
    ['another issuer', { iss: 'https://issuer.example' }],
    ['an end that is past', { iat: past - 300, exp: past }],
    ['a beginning that is to come', { nbf: past + 1_000 }],
    ['no subject', { sub: undefined }],
  ])('is refused with %s, and the log says what it was', async (_, claims) => {
    expect(await signInWith(claims)).toBe('/console/sign-in?reason=settings');
    expect(suite.harness.logged.at(-1)).toMatch(/OAUTH_/);
    expect(suite.harness.logged.at(-1)).not.toContain('eyJ');
  });

  it('is refused when another key has signed it', async () => {
    provider.signsWrong = true;
    expect(await signInWith()).toBe('/console/sign-in?reason=settings');
  });

  it('is refused when it comes with the state of no one', async () => {
    const { browser } = await start(suite);
    const reply = await comeBack(browser, `${REDIRECT_URI}?code=a&state=${'x'.repeat(43)}`);
    expect(reply.headers.get('location')).toBe('/console/sign-in?reason=expired');
  });

  it.each([
    ['access_denied', 'refused'],
    ['server_error', 'provider'],
    ['invalid_scope', 'settings'],
  ])('leads back to the page when it is the error %s', async (error, reason) => {
    const { browser, url } = await start(suite, '?return=/console/keys');
    const search = new URLSearchParams({ error, state: url.searchParams.get('state') ?? '' }).toString();
    const reply = await comeBack(browser, `${REDIRECT_URI}?${search}`);
    expect(reply.headers.get('location')).toBe(`/console/sign-in?reason=${reason}&return=%2Fkeys`);
  });

  it.each([
    [
      'a client it does not know',
      { status: 401, body: '{"error":"invalid_client"}', headers: { 'www-authenticate': 'Basic' } },
      'settings',
    ],
    ['a failure', { status: 503, body: '{}' }, 'provider'],
    ['a way elsewhere', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }, 'settings'],
    ['no end', { status: 200, body: `"${'x'.repeat(1_100_000)}"` }, 'provider'],
  ])('leads back to the page when the token is %s', async (_, failure, reason) => {
    provider.failure = failure;
    expect(await signInWith()).toBe(`/console/sign-in?reason=${reason}`);
  });

  it('leads back to the page when an address is somebody else’s at the same provider', async () => {
    const email = `${randomUUID()}@acme.example`;
    expect(await signInWith({ email })).toBe('/console/');
    expect(await signInWith({ email })).toBe('/console/sign-in?reason=account');
  });

  it('leads back to the page when it took too long, and to its first page where the way back is none of ours', async () => {
    const { browser, url } = await start(suite, '?return=https://evil.example');
    const state = url.searchParams.get('state') ?? '';
    suite.harness.now = () => Date.now() + 11 * 60_000;
    const reply = await comeBack(browser, `${REDIRECT_URI}?code=a&state=${state}`);
    expect(reply.headers.get('location')).toBe('/console/sign-in?reason=expired');
  });
});

describe('the sign-in page', () => {
  const suite = useManagement({ oidc: settings, attempts: { perAddress: 3, inTotal: 8 } });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': `203.0.113.99, ${address}` } });

  it('learns of the provider by its name alone', async () => {
    const reply = await openBrowser(suite.harness).send('GET', '/sign-in-options');
    expect([reply.status, reply.json]).toEqual([200, { oidc: { name: 'Acme' } }]);
  });

  it('limits attempts by address and in total, whatever they are, and says when to try again', async () => {
    const wrong = { body: { api_key: 'weir_wrong' } };
    for (let count = 0; count < 3; count += 1)
      expect((await openBrowser(suite.harness).send('POST', '/session', { ...wrong, ...from('198.51.100.1') })).status).toBe(401);
    const refused = await openBrowser(suite.harness).send('POST', '/session', { ...wrong, ...from('198.51.100.1') });
    expect([refused.status, refused.json.error]).toEqual([429, expect.objectContaining({ origin: 'router', code: 'rate_limited' })]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const page = await openBrowser(suite.harness).send('GET', '/oidc/start', {
      headers: { ...from('198.51.100.1').headers, accept: 'text/html' },
    });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/console/sign-in?reason=busy']);
    for (let count = 2; count < 7; count += 1)
      expect((await openBrowser(suite.harness).send('POST', '/session', { ...wrong, ...from(`198.51.100.${count}`) })).status).toBe(401);
    expect((await openBrowser(suite.harness).send('POST', '/session', { ...wrong, ...from('198.51.100.77') })).status).toBe(429);
    suite.harness.now = () => Date.now() + 61_000;
    expect((await openBrowser(suite.harness).signIn(suite.ours.apiKey)).status).toBe(200);
  });
});
