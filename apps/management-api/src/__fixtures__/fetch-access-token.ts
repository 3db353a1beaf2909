import { signInAtProvider } from '@weir/testing';
import { createHash, randomBytes } from 'node:crypto';
import { PASSWORD } from './keycloak-realm';

type Asked = {
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };
  readonly redirectUri: string;
  /** By which name the person signs in. */
  readonly name: string;
  readonly scope: string;
  /** Whom the token is for; the provider itself unless given. */
  readonly resource?: string;
};

/** Signs a person in as a program of the organization's own would, and returns what the provider gives it. */
export async function fetchTokens({ provider, redirectUri, name, scope, resource }: Asked): Promise<Record<string, string>> {
  const discovered = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
  const { authorization_endpoint: authorize, token_endpoint: token } = (await discovered.json()) as Record<string, string>;
  const verifier = randomBytes(32).toString('base64url');
  const forResource = resource === undefined ? {} : { resource };
  const query = {
    ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri, scope, state: 's', ...forResource },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  };
  const callback = await signInAtProvider(`${authorize}?${new URLSearchParams(query).toString()}`, { name, password: PASSWORD });
  const code = new URL(callback).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...forResource };
  const proof = [provider.clientId, provider.clientSecret].map(encodeURIComponent).join(':');
  const reply = await fetch(token ?? '', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(proof).toString('base64')}` },
    body: new URLSearchParams(form),
  });
  const tokens = (await reply.json()) as Record<string, string>;
  if (!reply.ok) throw new Error(JSON.stringify(tokens));
  return tokens;
}
