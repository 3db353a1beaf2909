import type { OidcAccounts, RealKeycloak } from '@weir/testing';
import { randomUUID } from 'node:crypto';

export const PASSWORD = 'open sesame';

/** A realm for sign-ins at the console, as docs/security.md has an operator make it. */
export type KeycloakRealm = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  setAccounts(accounts: OidcAccounts): Promise<void>;
  remove(): Promise<void>;
};

type Json = Record<string, unknown>;

const GROUPS_MAPPER = {
  ...{ name: 'groups', protocol: 'openid-connect', protocolMapper: 'oidc-group-membership-mapper' },
  config: {
    'claim.name': 'groups',
    'full.path': 'false',
    'id.token.claim': 'true',
    'access.token.claim': 'false',
    'userinfo.token.claim': 'true',
  },
};

/** Access tokens are for the gateway too. */
const AUDIENCE_MAPPER = {
  ...{ name: 'audience', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper' },
  config: { 'included.client.audience': 'weir', 'id.token.claim': 'false', 'access.token.claim': 'true' },
};

export async function makeKeycloakRealm(keycloak: RealKeycloak, redirectUri: string): Promise<KeycloakRealm> {
  const realm = `weir-${randomUUID()}`;
  const { name: username, password } = keycloak.administrator;
  const call = async (method: string, path: string, body?: unknown): Promise<Json[]> => {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password });
    const token = await fetch(`${keycloak.url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: form });
    const { access_token: bearer } = (await token.json()) as { access_token: string };
    const reply = await fetch(`${keycloak.url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok && reply.status !== 409) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text.startsWith('[') ? (JSON.parse(text) as Json[]) : [];
  };
  const client = {
    ...{ clientId: 'weir', secret: 'a secret of the tests', publicClient: false, standardFlowEnabled: true },
    ...{
      redirectUris: [redirectUri],
      attributes: { 'pkce.code.challenge.method': 'S256' },
      protocolMappers: [GROUPS_MAPPER, AUDIENCE_MAPPER],
    },
  };
  await call('POST', '', { realm, enabled: true, clients: [client] });

  const setAccount = async (name: string, claims: Readonly<Record<string, unknown>>): Promise<void> => {
    for (const [old] of (await call('GET', `/${realm}/users?username=${name}&exact=true`)).map(({ id }) => [String(id)] as const)) {
      const joined = await call('GET', `/${realm}/users/${old}/groups`);
      for (const { id } of joined) await call('DELETE', `/${realm}/users/${old}/groups/${String(id)}`);
    }
    const groups = (claims['groups'] as string[] | undefined) ?? [];
    for (const group of groups) await call('POST', `/${realm}/groups`, { name: group });
    const credentials = [{ type: 'password', value: PASSWORD, temporary: false }];
    const person = {
      ...{ username: name, enabled: true, email: claims['email'], emailVerified: claims['email_verified'] === true },
      ...{ firstName: claims['given_name'] ?? 'Ann', lastName: claims['family_name'] ?? 'Smith', credentials },
    };
    await call('POST', `/${realm}/users`, person);
    const [user] = await call('GET', `/${realm}/users?username=${name}&exact=true`);
    await call('PUT', `/${realm}/users/${String(user?.['id'])}`, person);
    for (const group of groups) {
      const [found] = await call('GET', `/${realm}/groups?search=${encodeURIComponent(group)}&exact=true`);
      await call('PUT', `/${realm}/users/${String(user?.['id'])}/groups/${String(found?.['id'])}`);
    }
  };
  return {
    ...{ issuer: `${keycloak.url}/realms/${realm}`, clientId: client.clientId, clientSecret: client.secret },
    setAccounts: async (accounts) => {
      for (const [name, claims] of Object.entries(accounts)) await setAccount(name, claims);
    },
    remove: async () => {
      await call('DELETE', `/${realm}`);
    },
  };
}
