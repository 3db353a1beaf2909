import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';

type Claims = Readonly<Record<string, unknown>>;

/** A provider that says what a test wants it to: what a real one never would. */
export type LyingProvider = {
  readonly issuer: string;
  /** What the next ID token has beside, or in place of, what it must have; `undefined` takes a claim out. */
  claims: Claims;
  /** Signs by a key that it does not publish. */
  signsWrong: boolean;
  /** What is said instead of a token. */
  failure: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } | undefined;
  isDown: boolean;
  /** The secrets of clients, as they were sent. */
  readonly proofs: string[];
  stop(): Promise<void>;
};

const [own, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));

export async function startLyingProvider(): Promise<LyingProvider> {
  const provider = {
    issuer: '',
    claims: {} as Claims,
    signsWrong: false,
    failure: undefined,
    isDown: false,
    proofs: [] as string[],
  } as LyingProvider & {
    issuer: string;
  };
  const server = createServer((request, response) => {
    if (provider.isDown) return void request.socket.destroy();
    const send = (body: object): void => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    const { issuer } = provider;
    if (request.url === '/.well-known/openid-configuration')
      return send({
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` },
        ...{ response_types_supported: ['code'], subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
      });
    if (request.url === '/jwks')
      return send({ keys: [{ ...own?.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] });
    provider.proofs.push(request.headers.authorization ?? '');
    if (provider.failure !== undefined) {
      response.writeHead(provider.failure.status, { 'content-type': 'application/json', ...provider.failure.headers });
      return void response.end(provider.failure.body);
    }
    send({ access_token: randomUUID(), token_type: 'Bearer', id_token: makeToken(provider) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function makeToken({ issuer, claims, signsWrong }: LyingProvider): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const usual = { iss: issuer, aud: 'weir', iat: now, exp: now + 300 };
  const signed = `${encode({ alg: 'RS256', kid: 'own' })}.${encode({ ...usual, ...claims })}`;
  const key = (signsWrong ? other : own)?.privateKey;
  if (key === undefined) throw new Error('there is no key');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
