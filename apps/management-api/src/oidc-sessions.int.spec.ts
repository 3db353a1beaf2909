import { describeWithRealParts, getKeycloak, startOidcProvider, type OidcAccounts } from '@weir/testing';
import { createHmac, randomUUID } from 'node:crypto';
import type { ConsoleParts } from './console/console-parts';
import { fetchTokens } from './__fixtures__/fetch-access-token';
import { makeKeycloakRealm } from './__fixtures__/keycloak-realm';
import { startLyingProvider, type LyingProvider } from './__fixtures__/lying-provider';
import type { Reply } from './__fixtures__/start-management';
import { useManagement, type ManagementSuite } from './__fixtures__/use-management';

// The first of them to run has Keycloak fetched and built, for which the others wait.
jest.setTimeout(420_000);

const REDIRECT_URI = 'https://console.example/console/oidc/callback';
const RESOURCE = 'https://weir.example/';

type Settings = NonNullable<ConsoleParts['oidc']>;
type Mutable = { -readonly [Name in keyof Settings]: Settings[Name] };

function makeSettings(): Mutable {
  return {
    ...{ issuer: '', clientId: 'weir', clientSecret: undefined, name: 'Acme', scopes: 'openid', groupsClaim: 'groups', trustsEmail: false },
    ...{ organizationId: undefined, consoleUrl: undefined, sessions: { audiences: ['weir', RESOURCE], opaqueTokens: 'introspection' } },
    roles: new Map([
      ['admins', { role: 'admin', groups: [] }],
      ['research', { role: 'member', groups: [{ name: 'Research', role: 'admin' }] }],
    ]),
  };
}

const post = (suite: ManagementSuite, token: string, body: object = {}): Promise<Reply> =>
  suite.harness.call('POST', '/v1/session', { key: token, body });

type Provider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  setAccounts(accounts: OidcAccounts): Promise<void>;
};

/** What must hold of access tokens of every provider. */
function testProvider(findProvider: () => Provider, asked: { scope: string; resource?: string }, hasKeycloak: boolean): void {
  const settings = makeSettings();
  const suite = useManagement({ oidc: settings });
  let name: string;
  let email: string;
  beforeEach(() => {
    name = `p${randomUUID().slice(0, 8)}`;
    email = `${name}@acme.example`;
    const { issuer, clientId, clientSecret } = findProvider();
    Object.assign(settings, { issuer, clientId, clientSecret, organizationId: suite.ours.id });
    // Where there is a Keycloak besides, it is asked about tokens that do not say whose they are.
    if (!hasKeycloak) delete suite.harness.identityProvider.readSession;
  });
  const signIn = async (groups: readonly string[]): Promise<string> => {
    await findProvider().setAccounts({ [name]: { email, email_verified: true, given_name: 'Ann', family_name: 'Smith', groups } });
    const tokens = await fetchTokens({ provider: findProvider(), redirectUri: REDIRECT_URI, name, ...asked });
    return tokens['access_token'] ?? '';
  };

  it('opens a session with the role and the groups of the claims, up and down', async () => {
    const group = await suite.make.group({ name: 'Research' });
    const opened = await post(suite, await signIn(['research', 'others']), { organization_id: suite.ours.id });
    expect([opened.status, opened.json]).toMatchObject([
      200,
      {
        ...{ user: { user_email: email }, organizations: [{ id: suite.ours.id, role: 'member' }], created: null },
        session: { is_administrator: false, groups: [{ id: group, name: 'Research', role: 'admin' }] },
      },
    ]);
    const { api_key: key } = opened.json['session'] as { api_key: string };
    expect((await suite.harness.call('GET', `/v1/manage/group/${group}`, { key })).status).toBe(200);
    const raised = await post(suite, await signIn(['admins']), { organization_id: suite.ours.id });
    expect(raised.json['session']).toMatchObject({ is_administrator: true, groups: [] });
    const [line] = (await suite.get('/v1/manage/audit?action=sign-in'))['audit'];
    expect(line).toMatchObject({ actor: { kind: 'operator', id: 'session sign-in' } });
  });

  it('opens none for somebody without a group that has a role, nor of another organization they are in', async () => {
    const token = await signIn(['others']);
    expect((await post(suite, token)).status).toBe(403);
    await suite.make.member({ email });
    expect((await post(suite, token)).json['organizations']).toHaveLength(1);
    const elsewhere = await suite.seedOther();
    await suite.harness.call('POST', '/v1/manage/org/member', { key: elsewhere.apiKey, body: { email, role: 'admin' } });
    const refused = await post(suite, token, { organization_id: elsewhere.id });
    expect([refused.status, (await post(suite, token)).json['organizations']]).toEqual([
      404,
      [expect.objectContaining({ id: suite.ours.id })],
    ]);
  });
}

describe('access tokens of a certified provider', () => {
  let provider: Provider & { stop(): Promise<void> };
  beforeAll(async () => {
    provider = await startOidcProvider(REDIRECT_URI, {});
  });
  afterAll(() => provider.stop());
  describe('that are JWTs', () => testProvider(() => provider, { scope: 'openid', resource: RESOURCE }, true));
  describe('that are opaque', () => testProvider(() => provider, { scope: 'openid email profile groups' }, false));

  describe('that are not what they should be', () => {
    const settings = makeSettings();
    const suite = useManagement({ oidc: settings });
    beforeEach(() => {
      const { issuer, clientId, clientSecret } = provider;
      Object.assign(settings, { issuer, clientId, clientSecret, organizationId: suite.ours.id });
      delete suite.harness.identityProvider.readSession;
    });

    it('open nothing: for another resource, ID tokens, tokens to fetch others, and words', async () => {
      const name = `p${randomUUID().slice(0, 8)}`;
      await provider.setAccounts({ [name]: { email: `${name}@acme.example`, email_verified: true, groups: ['admins'] } });
      const asked = { provider, redirectUri: REDIRECT_URI, name };
      const other = await fetchTokens({ ...asked, scope: 'openid', resource: 'https://other.example/' });
      const own = await fetchTokens({ ...asked, scope: 'openid email groups' });
      expect((await post(suite, own['access_token'] ?? '')).status).toBe(200);
      for (const token of [other['access_token'], own['id_token'], 'a.b.c', 'word'])
        expect((await post(suite, token ?? '')).status).toBe(403);
    });
  });
});

describeWithRealParts(['keycloak'], 'access tokens of a real Keycloak', () => {
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
  testProvider(() => realm, { scope: 'openid email profile' }, true);
});

describe('what a provider signs', () => {
  let provider: LyingProvider;
  beforeAll(async () => {
    provider = await startLyingProvider();
  });
  afterAll(() => provider.stop());
  const settings = makeSettings();
  const suite = useManagement({ oidc: settings });
  beforeEach(() => {
    Object.assign(settings, { issuer: provider.issuer, clientSecret: 's', organizationId: suite.ours.id });
    Object.assign(provider, { claims: {}, signsWrong: false, failure: undefined, isDown: false });
  });
  const sign = async (claims: Record<string, unknown> = {}): Promise<string> => {
    provider.claims = { sub: randomUUID(), email: `${randomUUID()}@acme.example`, email_verified: true, groups: ['research'], ...claims };
    const reply = await fetch(`${provider.issuer}/token`, { method: 'POST' });
    return ((await reply.json()) as { id_token: string }).id_token;
  };
  const statusOf = async (token: string): Promise<number> => (await post(suite, token)).status;
  const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

  it.each([
    ['as it should be', {}, 200],
    ['for several, of whom we are one', { aud: ['x', RESOURCE] }, 200],
    ['that ended a moment ago, by another clock', { ends: -10 }, 200],
    ['for another', { aud: 'other' }, 403],
    ['for no one', { aud: undefined }, 403],
    ['that has ended', { ends: -60 }, 403],
    ['without an end', { exp: undefined }, 403],
    ['that is not yet good', { begins: 120 }, 403],
    ['of no one', { sub: undefined }, 403],
    ['that is an ID token', { nonce: 'n' }, 403],
    ['that calls itself one', { typ: 'ID' }, 403],
    ['that fetches others', { typ: 'Refresh' }, 403],
    ['bound to a key that the caller has to prove', { cnf: { jkt: 'x' } }, 403],
    ['whose address is not verified', { email_verified: false }, 403],
  ])('a token %s: %j', async (_, { ends, begins, ...claims }: Record<string, unknown>, status) => {
    const times = {
      ...(typeof ends === 'number' ? { exp: inSeconds(ends) } : {}),
      ...(typeof begins === 'number' ? { nbf: inSeconds(begins) } : {}),
    };
    expect(await statusOf(await sign({ ...claims, ...times }))).toBe(status);
  });

  it('is refused with another key, without a signature, and with the public key as a secret', async () => {
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const [, payload = ''] = (await sign()).split('.');
    const { keys } = (await (await fetch(`${provider.issuer}/jwks`)).json()) as { keys: object[] };
    const hs = `${encode({ alg: 'HS256', kid: 'own' })}.${payload}`;
    const forged = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${hs}.${createHmac('sha256', JSON.stringify(keys[0])).update(hs).digest('base64url')}`,
      `${encode({ alg: 'RS256', kid: 'unknown' })}.${payload}.AAAA`,
    ];
    for (const token of forged) expect(await statusOf(token)).toBe(403);
    provider.signsWrong = true;
    expect(await statusOf(await sign())).toBe(403);
    // A token of another issuer is for the Keycloak to know.
    expect(await statusOf(`${encode({ alg: 'RS256' })}.${encode({ iss: 'https://other.example' })}.AAAA`)).toBe(403);
  });

  it('is a 502 while the provider cannot say what it has signed, and not as long as that is known', async () => {
    const token = await sign({ exp: inSeconds(20_000) });
    provider.isDown = true;
    expect(await statusOf(token)).toBe(200);
    suite.harness.now = () => Date.now() + 2 * 3_600_000;
    expect(await statusOf(token)).toBe(502);
  });
});
