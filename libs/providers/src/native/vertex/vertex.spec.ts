import { collectReply, createLossReport, createOriginalBody, type OriginalBody } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { describeWithFixtures, listCaptures, loadCapture, loadCaptures, makeTestFolder } from '@weir/testing';
import type { UpstreamCall, UpstreamTransport } from '@weir/upstream-http';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { decodeInPieces } from '../../__fixtures__/decode-in-pieces';
import { urlOfCall, type ChatCodec, type Provider } from '../../provider/provider';
import { openVertexProvider } from './index';
import { createFetchToken, createTokenSource } from './sign-request';

const ACCOUNT = { PROVIDER_VERTEX_API_KEY: 'tok', GOOGLE_VERTEX_PROJECT: 'acme' };
const noNetwork: UpstreamTransport = () => Promise.reject(new Error('no network here'));
const find = (env: Record<string, string>, transport = noNetwork): Provider | undefined =>
  openVertexProvider((name) => env[name], transport);
const open = (env: Record<string, string> = ACCOUNT, transport = noNetwork): Provider & { codec: ChatCodec } => {
  const provider = find(env, transport);
  if (provider?.codec === null || provider === undefined) throw new Error('vertex is not configured');
  return { ...provider, codec: provider.codec };
};
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const KEY_FILE = { type: 'service_account', project_id: 'from-file', client_email: 'a@b.iam.gserviceaccount.com', private_key: privateKey };
const answering =
  (status: number, body: object, calls: UpstreamCall[] = []): UpstreamTransport =>
  (call) => {
    calls.push(call);
    return Promise.resolve({ status, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(body))]) });
  };
const TOKEN = { access_token: 'minted', expires_in: 3600, token_type: 'Bearer' };

describe('openVertexProvider', () => {
  it('needs a project and credentials, and is not configured by a key file meant for other software', () => {
    expect(find({})).toBeUndefined();
    expect(find({ GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json' })).toBeUndefined();
    expect(find({ GOOGLE_VERTEX_PROJECT: 'acme' })).toBeUndefined();
    expect(find(ACCOUNT)?.id).toBe('vertex');
    expect(find({ PROVIDER_VERTEX_CREDENTIALS: JSON.stringify(KEY_FILE) })?.id).toBe('vertex');
  });

  it('reads the key file that the environment names, and names one it cannot read', () => {
    const path = join(makeTestFolder('vertex'), 'key.json');
    const env = { GOOGLE_VERTEX_PROJECT: 'acme', GOOGLE_APPLICATION_CREDENTIALS: path };

    expect(() => find(env)).toThrow(/ENOENT/);
    writeFileSync(path, '{}');
    expect(() => find(env)).toThrow(path);
    writeFileSync(path, JSON.stringify(KEY_FILE));
    expect(find(env)?.id).toBe('vertex');
  });

  it.each([
    [
      'gemini-3-pro',
      null,
      false,
      'https://aiplatform.googleapis.com/v1/projects/acme/locations/global/publishers/google/models/gemini-3-pro:generateContent',
    ],
    [
      'gemini-3-pro',
      'europe-west4',
      true,
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/acme/locations/europe-west4/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse',
    ],
    [
      'claude-haiku-4-5@20251001',
      null,
      false,
      'https://aiplatform.googleapis.com/v1/projects/acme/locations/global/publishers/anthropic/models/claude-haiku-4-5@20251001:rawPredict',
    ],
    [
      'claude-opus-5',
      'EU',
      true,
      'https://aiplatform.eu.rep.googleapis.com/v1/projects/acme/locations/eu/publishers/anthropic/models/claude-opus-5:streamRawPredict',
    ],
    [
      'meta/llama-4-maas',
      'us-east5',
      true,
      'https://us-east5-aiplatform.googleapis.com/v1/projects/acme/locations/us-east5/endpoints/openapi/chat/completions',
    ],
    [
      'mistral-small-2503',
      null,
      true,
      'https://aiplatform.googleapis.com/v1/projects/acme/locations/global/publishers/mistralai/models/mistral-small-2503:streamRawPredict',
    ],
  ])('sends %s in %s (stream: %s) to its own address', (model, region, stream, expected) => {
    const provider = open();
    const call = provider.codec.encodeRequest(buildRequest({ stream }), buildTarget(model, {}, region), createLossReport());

    expect(urlOfCall(provider, call)).toBe(expected);
    expect(provider.authorize(call, buildTarget(model))).toEqual({ authorization: 'Bearer tok' });
  });

  it('sends everything to the address the operator named', () => {
    const provider = open({ ...ACCOUNT, PROVIDER_VERTEX_BASE_URL: 'http://127.0.0.1:9', GOOGLE_VERTEX_LOCATION: 'us-east5' });
    const call = provider.codec.encodeRequest(buildRequest(), buildTarget('gemini-3-pro'), createLossReport());

    expect(urlOfCall(provider, call)).toBe(
      'http://127.0.0.1:9/v1/projects/acme/locations/us-east5/publishers/google/models/gemini-3-pro:generateContent',
    );
  });

  it('sends the version of the Messages API in the body and the model in the address, in both lanes', () => {
    const provider = open();
    const target = { ...buildTarget('claude-opus-4-5'), callerHeaders: { 'anthropic-beta': 'x' } };
    const body = createOriginalBody('{"model":"a", "max_tokens":5,"messages":[],"unknown":1.50,"weir":{}}') as OriginalBody;
    const translated = provider.codec.encodeRequest(buildRequest({ maxOutputTokens: 7 }), target, createLossReport());
    const express = provider.express?.encodeOriginal(body, target, true);

    expect(JSON.parse(translated.body)).toEqual({
      anthropic_version: 'vertex-2023-10-16',
      max_tokens: 7,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
    expect(express?.body).toBe('{"max_tokens":5,"messages":[],"unknown":1.50,"stream":true,"anthropic_version":"vertex-2023-10-16"}');
    expect(express).toMatchObject({ headers: { 'anthropic-beta': 'x' }, path: expect.stringMatching(/claude-opus-4-5:streamRawPredict$/) });
    expect([target, buildTarget('gemini-3-pro'), buildTarget('meta/llama')].map((one) => provider.express?.suits?.(body, one))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('reads replies in the words of each maker, and keeps their state apart', () => {
    const { codec } = open();
    const family = (model: string, text: string): unknown => {
      const [block] = codec.decodeReply(text, buildTarget(model)).choices[0]?.content ?? [];
      return block?.type === 'reasoning' || block?.type === 'tool-call' ? block.state?.family : undefined;
    };

    expect(
      family('claude-opus-4-5', '{"id":"m","content":[{"type":"thinking","thinking":"t","signature":"s"}],"stop_reason":"end_turn"}'),
    ).toBe('vertex-messages');
    expect(
      family(
        'gemini-3-pro',
        '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"}]},"finishReason":"STOP"}]}',
      ),
    ).toBe('vertex');
    expect(
      codec.decodeReply('{"id":"c","choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}', buildTarget('meta/llama')).id,
    ).toBe('c');
  });

  it('explains refusals of the service', () => {
    const read = (status: number, body: object) => open().readError(status, {}, JSON.stringify(body));

    expect(read(403, { error: { code: 403, message: 'Permission denied', status: 'PERMISSION_DENIED' } }).code).toBe(
      'provider_credentials',
    );
    expect(read(429, { error: { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' } }).code).toBe(
      'provider_rate_limited',
    );
    expect(read(400, { type: 'error', error: { type: 'invalid_request_error', message: 'm' } })).toMatchObject({
      code: 'provider_refused',
      message: 'm',
    });
  });
});

describe('tokens', () => {
  it('are fetched for a key file through the one way out, once for all calls', async () => {
    const calls: UpstreamCall[] = [];
    const provider = open({ PROVIDER_VERTEX_CREDENTIALS: JSON.stringify(KEY_FILE) }, answering(200, TOKEN, calls));
    const authorize = () => provider.authorize({ path: '', body: '' }, buildTarget());

    expect(await Promise.all([authorize(), authorize()])).toEqual([{ authorization: 'Bearer minted' }, { authorization: 'Bearer minted' }]);
    expect(authorize()).toEqual({ authorization: 'Bearer minted' });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const assertion = new URLSearchParams(String(calls[0]?.body)).get('assertion') ?? '';
    expect(JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      iss: KEY_FILE.client_email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
  });

  it('are fetched for a user’s own credentials as well', async () => {
    const calls: UpstreamCall[] = [];
    const fetchToken = createFetchToken(
      { type: 'authorized_user', client_id: 'i', client_secret: 's', refresh_token: 'r' },
      answering(200, TOKEN, calls),
    );

    expect((await fetchToken()).token).toBe('minted');
    expect(String(calls[0]?.body)).toContain('grant_type=refresh_token');
  });

  it('that cannot be had are our trouble, and said without the reason', async () => {
    const refused = createFetchToken(KEY_FILE, answering(400, { error: 'invalid_grant', error_description: 'secret detail' }));
    const down = createFetchToken(KEY_FILE, () => Promise.reject(new GatewayError('provider_unreachable', 'down')));

    await expect(refused()).rejects.toMatchObject({ code: 'provider_credentials', message: expect.not.stringContaining('secret') });
    await expect(down()).rejects.toMatchObject({ code: 'provider_unreachable' });
  });

  it('are renewed beside the calls before they expire, waited for when they have, and tried again after a failure', async () => {
    let now = 0;
    let fail = false;
    let count = 0;
    const find = createTokenSource(
      () => {
        count += 1;
        return fail ? Promise.reject(new Error('down')) : Promise.resolve({ token: `t${count}`, expiresAtMs: now + 600_000 });
      },
      () => now,
    );

    expect(await find()).toBe('t1');
    now = 300_000;
    expect(find()).toBe('t1');
    expect(count).toBe(1);
    now = 400_000;
    fail = true;
    expect(find()).toBe('t1');
    await Promise.resolve().then(() => Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    fail = false;
    expect(find()).toBe('t1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(find()).toBe('t3');
    now = 2_000_000;
    expect(await find()).toBe('t4');
  });
});

describeWithFixtures('captured replies of the service', () => {
  const { codec } = open();
  const target = buildTarget('gemini-3-pro');

  it('stream in the grammar, however the bytes are cut', () => {
    const paths = listCaptures({ under: 'FirebaseExtended+vertexai-sdk-test-data/vertexai/streaming-success' });

    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const body = String(loadCapture(path).body);
      const whole = decodeInPieces(codec.createStreamDecoder(target), body);
      const shape = (events: typeof whole): unknown => events.map((event) => [event.type, 'text' in event ? event.text : '']);

      expect([path, checkGrammar(whole)]).toEqual([path, []]);
      expect([path, whole.at(-1)?.type === 'end']).toEqual([path, body.includes('"finishReason"')]);
      expect(shape(decodeInPieces(codec.createStreamDecoder(target), body, [5, 200]))).toEqual(shape(whole));
    }
  });

  it('fail as the service said', () => {
    const failures = listCaptures({ under: 'FirebaseExtended+vertexai-sdk-test-data/vertexai/unary-failure', endsWith: '.json' })
      .flatMap((path) => loadCaptures(path))
      .filter(({ body }) => String(body).includes('"error"'));

    expect(failures.length).toBeGreaterThan(3);
    for (const { path, body } of failures) {
      const status = (JSON.parse(String(body)) as { error: { code: number } }).error.code;
      expect([path, open().readError(status, {}, String(body)).code]).toEqual([path, expect.stringMatching(/^provider_/)]);
    }
  });

  it('of its other makers are read in their words', () => {
    const claude = String(loadCapture('vercel+ai/anthropic/anthropic-json-other-tool.1.chunks.txt').body);
    const open = String(loadCapture('vercel+ai/openai/chat--azure-model-router.1.chunks.txt').body);

    expect(collectReply(decodeInPieces(codec.createStreamDecoder(buildTarget('claude-opus-5')), claude)).choices[0]?.finish.upstream).toBe(
      'tool_use',
    );
    expect(
      collectReply(decodeInPieces(codec.createStreamDecoder(buildTarget('openai/gpt-oss-120b-maas')), open)).choices[0]?.finish.upstream,
    ).toBe('stop');
  });
});
