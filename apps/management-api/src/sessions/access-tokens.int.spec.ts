import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isGood } from './create-oidc-sessions';
import { createAccessTokenVerifier } from './verify-access-token';

const ISSUER = 'https://issuer.example';
const NOW_MS = Date.UTC(2026, 10, 24);

type Pair = { readonly kid: string; readonly publicKey: KeyObject; readonly privateKey: KeyObject };
const makePair = (kid: string): Pair => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });

describe('keys of a provider', () => {
  let server: Server;
  let asked: number;
  let published: readonly Pair[];
  let status: number;
  let body: string | undefined;
  const uri = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      const keys = published.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }));
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
      response.end(body ?? JSON.stringify({ keys }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    asked = 0;
    status = 200;
    body = undefined;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const makeToken = ({ kid, privateKey }: Pair): string => {
    const claims = { iss: ISSUER, aud: 'weir', sub: 'ann', exp: NOW_MS / 1000 + 60 };
    const text = `${encode({ alg: 'ES256', kid, typ: 'at+jwt' })}.${encode(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  const open = (pauseMs?: number) => {
    const verifier = createAccessTokenVerifier({ audiences: ['weir'], now: () => NOW_MS, ...(pauseMs === undefined ? {} : { pauseMs }) });
    return (pair: Pair) => verifier.verify(makeToken(pair), { jwksUri: uri(), issuer: ISSUER });
  };

  it('are fetched once for many tokens, and again when one is signed by a new one', async () => {
    const [first, second] = [makePair('1'), makePair('2')];
    published = [first];
    const verify = open(0);
    expect(await Promise.all([verify(first), verify(first), verify(first)])).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ sub: 'ann' }) as object),
    );
    expect(asked).toBe(1);
    published = [second];
    expect(await verify(second)).toMatchObject({ sub: 'ann' });
    expect(asked).toBe(2);
    // The former one is published no more.
    expect(await verify(first)).toBeUndefined();
  });

  it('are asked for no more often because somebody names keys that are not there', async () => {
    const [known, unknown] = [makePair('1'), makePair('x')];
    published = [known];
    const verify = open();
    for (let count = 0; count < 5; count += 1) expect(await verify(unknown)).toBeUndefined();
    expect(await verify(known)).toBeDefined();
    expect(asked).toBe(1);
  });

  it.each([
    ['a failure', { status: 500 }],
    ['a way elsewhere', { status: 302 }],
    ['no end', { body: `"${'x'.repeat(1_100_000)}"` }],
    ['no keys', { body: '{"keys":5}' }],
  ])('are not there when the reply is %s, which is no fault of the token', async (_, reply) => {
    published = [];
    status = 'status' in reply ? reply.status : 200;
    body = 'body' in reply ? reply.body : undefined;
    await expect(open()(makePair('1'))).rejects.toThrow();
  });
});

describe('what a provider says of an opaque token', () => {
  const expected = { issuer: ISSUER, audiences: ['weir', 'api'], nowMs: NOW_MS };
  const good = { active: true, sub: 'ann', token_type: 'Bearer', exp: NOW_MS / 1000 + 60, client_id: 'weir' };

  it.each([
    [{}, true],
    [{ aud: ['x', 'api'], client_id: 'other' }, true],
    [{ iss: ISSUER, exp: NOW_MS / 1000 - 20 }, true],
    [{ active: false }, false],
    [{ active: 'true' }, false],
    [{ aud: 'other' }, false],
    [{ client_id: 'other' }, false],
    [{ iss: 'https://other.example' }, false],
    [{ exp: NOW_MS / 1000 - 60 }, false],
    [{ exp: undefined }, false],
    [{ sub: undefined }, false],
    [{ token_type: undefined }, false],
    [{ token_type: 'DPoP' }, false],
    [{ cnf: { jkt: 'x' } }, false],
  ])('with %j: %s', (changes, isAccepted) => {
    expect(isGood({ ...good, ...changes }, expected)).toBe(isAccepted);
  });
});
