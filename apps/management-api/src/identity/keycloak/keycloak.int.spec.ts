import { describeWithRealParts, getKeycloak, type RealKeycloak } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { createKeycloakIdentityProvider } from './create-keycloak-identity-provider';
import type { IdentityProvider, NewMembership } from '../../ports/identity-provider';

// The first of them to run has Keycloak fetched and built, for which the others wait.
jest.setTimeout(420_000);

const REALM = `weir-${randomUUID()}`;
const CLIENT = { clientId: 'weir', secret: 'a secret of the tests' };

type Json = Record<string, unknown>;

describeWithRealParts(['keycloak'], 'the identity provider on a real Keycloak', () => {
  let keycloak: RealKeycloak;
  let provider: IdentityProvider;
  let administratorToken: string;

  beforeAll(async () => {
    const real = await getKeycloak();
    if (real === undefined) throw new Error('Keycloak went away');
    keycloak = real;
    await prepareRealm();
    provider = createKeycloakIdentityProvider({ url: keycloak.url, realm: REALM, clientId: CLIENT.clientId, clientSecret: CLIENT.secret });
  });
  afterAll(async () => {
    await call('DELETE', `/admin/realms/${REALM}`);
    await keycloak.stop();
  });

  async function fetchToken(realm: string, form: Record<string, string>): Promise<string> {
    const reply = await fetch(`${keycloak.url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const json = (await reply.json()) as Json;
    if (!reply.ok) throw new Error(JSON.stringify(json));
    return String(json['access_token']);
  }

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const reply = await fetch(keycloak.url + path, {
      method,
      headers: { authorization: `Bearer ${administratorToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok && reply.status !== 404) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** A realm with organizations, and a client whose service account has just the roles our README asks for. */
  async function prepareRealm(): Promise<void> {
    const { name: username, password } = keycloak.administrator;
    administratorToken = await fetchToken('master', { grant_type: 'password', client_id: 'admin-cli', username, password });
    const client = { ...CLIENT, publicClient: false, serviceAccountsEnabled: true, directAccessGrantsEnabled: true };
    await call('POST', '/admin/realms', { realm: REALM, enabled: true, organizationsEnabled: true, clients: [client] });
    const find = async (path: string): Promise<string> =>
      String(((await call('GET', `/admin/realms/${REALM}${path}`)) as Json[])[0]?.['id']);
    const management = await find('/clients?clientId=realm-management');
    const account = (await call(
      'GET',
      `/admin/realms/${REALM}/clients/${await find('/clients?clientId=weir')}/service-account-user`,
    )) as Json;
    const roles = (await call('GET', `/admin/realms/${REALM}/clients/${management}/roles`)) as Json[];
    const granted = roles.filter(({ name }) => name === 'manage-users' || name === 'manage-realm');
    await call('POST', `/admin/realms/${REALM}/users/${String(account['id'])}/role-mappings/clients/${management}`, granted);
  }

  function newMembership(changes: Partial<NewMembership> = {}): NewMembership {
    const organizationId = changes.organizationId ?? randomUUID();
    const email = `${randomUUID()}@somewhere.example`;
    return { organizationId, organizationName: 'Acme', subject: null, email, firstName: 'Ann', lastName: 'Smith', ...changes };
  }

  async function organizationsOf(subject: string | null): Promise<unknown[]> {
    const found = (await call('GET', `/admin/realms/${REALM}/organizations/members/${subject}/organizations`)) as Json[];
    return found.map(({ name }) => name).sort();
  }

  async function signIn(subject: string | null): Promise<string> {
    await call('PUT', `/admin/realms/${REALM}/users/${subject}`, { emailVerified: true, requiredActions: [] });
    await call('PUT', `/admin/realms/${REALM}/users/${subject}/reset-password`, {
      type: 'password',
      value: 'open sesame',
      temporary: false,
    });
    const user = (await call('GET', `/admin/realms/${REALM}/users/${subject}`)) as Json;
    return fetchToken(REALM, {
      grant_type: 'password',
      client_id: CLIENT.clientId,
      client_secret: CLIENT.secret,
      username: String(user['username']),
      password: 'open sesame',
      scope: 'openid',
    });
  }

  it('makes organization and account for somebody new; repeating it changes nothing', async () => {
    const membership = newMembership();

    const first = await provider.addMember(membership);
    const again = await provider.addMember(membership);
    const bySubject = await provider.addMember({ ...membership, subject: first.subject });

    expect(first.subject).toEqual(expect.any(String));
    expect([again, bySubject]).toEqual([first, first]);
    expect(await organizationsOf(first.subject)).toEqual([membership.organizationId]);
    expect(await call('GET', `/admin/realms/${REALM}/users/${first.subject}`)).toMatchObject({
      email: membership.email,
      firstName: 'Ann',
      requiredActions: expect.arrayContaining(['UPDATE_PASSWORD', 'VERIFY_EMAIL']) as string[],
    });
  });

  it('takes a membership away and leaves account and other memberships; repeating it is a success', async () => {
    const [ours, theirs] = [newMembership(), newMembership()];
    const { subject } = await provider.addMember(ours);
    await provider.addMember({ ...theirs, email: ours.email });

    for (const known of [subject, null]) await provider.removeMember({ ...ours, subject: known });

    expect(await organizationsOf(subject)).toEqual([theirs.organizationId]);
    expect(await call('GET', `/admin/realms/${REALM}/users/${subject}`)).toMatchObject({ enabled: true, email: ours.email });
  });

  it('is a success for an account or an organization that is not there', async () => {
    await expect(provider.removeMember(newMembership())).resolves.toBeUndefined();
    await expect(provider.removeMember(newMembership({ subject: randomUUID() }))).resolves.toBeUndefined();
  });

  it('reads whose session a token is, until removing the member ends it', async () => {
    const membership = newMembership();
    const { subject } = await provider.addMember(membership);
    const token = await signIn(subject);

    expect(await provider.readSession?.(token)).toEqual({
      subject,
      email: membership.email,
      isEmailVerified: true,
      firstName: 'Ann',
      lastName: 'Smith',
    });
    await provider.removeMember({ ...membership, subject });
    expect(await provider.readSession?.(token)).toBeUndefined();
    expect(await provider.readSession?.('no token')).toBeUndefined();
  });

  it('says what Keycloak replied when the client may not, and repeats no secret', async () => {
    const wrong = createKeycloakIdentityProvider({
      url: keycloak.url,
      realm: REALM,
      clientId: CLIENT.clientId,
      clientSecret: 'wrong secret',
    });

    const failure = await wrong.removeMember(newMembership()).catch((error: unknown) => error);

    expect(String(failure)).toContain('Keycloak replied 401');
    expect(String(failure)).not.toContain('wrong secret');
  });
});
