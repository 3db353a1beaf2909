import { createLossReport } from '@weir/canonical';
import { createHash, createHmac } from 'node:crypto';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { urlOfCall, type Provider } from '../../provider/provider';
import { findRegion } from './find-region';
import { openConverseProvider } from './index';
import { readError } from './read-error';
import { createSigner } from './sign-request';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const open = (env: Record<string, string>): Provider | undefined =>
  openConverseProvider(
    (name) => env[name],
    () => Promise.reject(new Error('no network here')),
  );
const encode = (provider: Provider | undefined, model = 'm', region: string | null = null) => {
  if (provider?.codec === null || provider === undefined) throw new Error('not configured');
  const target = buildTarget(model, {}, region);
  const call = provider.codec.encodeRequest(buildRequest(), target, createLossReport());
  return { call, target, url: urlOfCall(provider, call), authorize: () => provider.authorize(call, target) };
};

describe('openConverseProvider', () => {
  it('is there with an API key or with keys to sign with, and prefers the first', async () => {
    expect(open({})).toBeUndefined();
    expect(open({ AWS_ACCESS_KEY_ID: 'a' })).toBeUndefined();
    expect(encode(open({ ...KEYS, AWS_BEARER_TOKEN_BEDROCK: 'theirs', PROVIDER_BEDROCK_API_KEY: 'ours' })).authorize()).toEqual({
      authorization: 'Bearer ours',
    });
    expect(await encode(open(KEYS)).authorize()).toMatchObject({ authorization: expect.stringContaining('Credential=AKIDEXAMPLE/') });
  });

  it('sends a call to its region, and everything to the address the operator named', async () => {
    const env = { ...KEYS, AWS_REGION: 'us-west-2' };

    expect(encode(open(env)).url).toBe('https://bedrock-runtime.us-west-2.amazonaws.com/model/m/converse');
    expect(encode(open(env), 'eu.anthropic.claude-x').url).toContain('bedrock-runtime.eu-central-1.');
    expect(encode(open({ ...env, PROVIDER_BEDROCK_BASE_URL: 'http://127.0.0.1:9/' }), 'eu.anthropic.claude-x').url).toBe(
      'http://127.0.0.1:9/model/eu.anthropic.claude-x/converse',
    );
    expect(
      await encode(open({ ...env, PROVIDER_BEDROCK_BASE_URL: 'http://127.0.0.1:9/' }), 'eu.anthropic.claude-x').authorize(),
    ).toMatchObject({ authorization: expect.stringContaining('/eu-central-1/bedrock/') });
  });
});

describe('findRegion', () => {
  it.each([
    ['qwen.qwen3-coder-next', 'eu-central-1', 'us-east-1', 'eu-central-1'],
    ['qwen.qwen3-coder-next', null, 'us-east-2', 'us-east-2'],
    ['eu.anthropic.claude-x', null, 'us-east-1', 'eu-central-1'],
    ['eu.anthropic.claude-x', null, 'eu-west-3', 'eu-west-3'],
    ['global.anthropic.claude-x', null, 'eu-west-3', 'eu-west-3'],
    ['us.anthropic.claude-x', null, 'us-gov-west-1', 'us-east-1'],
    ['apac.amazon.nova-lite-v1:0', null, 'us-east-1', 'ap-northeast-1'],
    ['jp.anthropic.claude-x', null, 'ap-northeast-3', 'ap-northeast-3'],
    ['au.anthropic.claude-x', null, 'us-east-1', 'ap-southeast-2'],
    ['mistral.mistral-large', 'EU', 'us-east-1', 'eu-central-1'],
    ['arn:aws:bedrock:ca-central-1:1:inference-profile/us.anthropic.claude-x', null, 'us-east-1', 'ca-central-1'],
  ])('calls %s bound to %s from %s in %s', (upstreamModel, region, own, expected) => {
    expect(findRegion({ upstreamModel, region }, own)).toBe(expected);
  });
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The documented steps, written down once more without the library. */
function signByHand(canonicalRequest: string, { date, region, service }: { date: string; region: string; service: string }): string {
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${KEYS.AWS_SECRET_ACCESS_KEY}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha(canonicalRequest)].join('\n')).toString('hex');
}

describe('createSigner', () => {
  const date = '20150830T123600Z';
  const nowMs = Date.parse('2015-08-30T12:36:00Z');
  const sign = createSigner({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY, sessionToken: undefined });

  it('is checked against steps that give the documented signature', () => {
    const request = ['POST', '/', '', 'host:example.amazonaws.com', `x-amz-date:${date}`, '', 'host;x-amz-date', sha('')].join('\n');
    expect(signByHand(request, { date, region: 'us-east-1', service: 'service' })).toBe(
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    );
  });

  it('signs host, body and the twice encoded path', async () => {
    const body = '{"messages":[{"content":"ü 🦊"}]}';
    const headers = await sign({ url: 'http://127.0.0.1:8080/model/us.a.b-v1%3A0/converse', body }, 'eu-west-1', nowMs);
    const names = 'content-type;host;x-amz-content-sha256;x-amz-date';
    const request = [
      'POST',
      '/model/us.a.b-v1%253A0/converse',
      '',
      'content-type:application/json',
      'host:127.0.0.1:8080',
      `x-amz-content-sha256:${sha(body)}`,
      `x-amz-date:${date}`,
      '',
      names,
      sha(body),
    ].join('\n');

    expect(headers).toEqual({
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/bedrock/aws4_request, SignedHeaders=${names}, Signature=${signByHand(request, { date, region: 'eu-west-1', service: 'bedrock' })}`,
      'x-amz-content-sha256': sha(body),
      'x-amz-date': date,
    });
  });

  it('sends the token of temporary keys, signed', async () => {
    const signTemporary = createSigner({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'tok' });
    const headers = await signTemporary({ url: 'https://x.example/model/m/converse', body: '' }, 'eu-west-1', nowMs);

    expect(headers['x-amz-security-token']).toBe('tok');
    expect(headers['authorization']).toContain('x-amz-security-token');
  });
});

describe('readError of Converse', () => {
  const read = (status: number, type: string | undefined, text: string) =>
    readError(status, type === undefined ? {} : { 'x-amzn-errortype': type }, text, ['hunter2hunter2']);

  it.each([
    [400, 'ValidationException:http://internal.amazon.com/coral/', 'provider_refused'],
    [403, 'AccessDeniedException', 'provider_credentials'],
    [400, 'ExpiredTokenException', 'provider_credentials'],
    [404, 'ResourceNotFoundException', 'provider_not_found'],
    [408, 'ModelTimeoutException', 'provider_timeout'],
    [424, 'ModelErrorException', 'provider_failed'],
    [429, 'ThrottlingException', 'provider_rate_limited'],
    [429, 'ModelNotReadyException', 'provider_overloaded'],
    [400, 'ServiceQuotaExceededException', 'provider_rate_limited'],
    [500, 'InternalServerException', 'provider_failed'],
    [503, 'ServiceUnavailableException', 'provider_overloaded'],
    [503, undefined, 'provider_overloaded'],
  ])('maps %d %s to %s, and keeps the provider’s status', (status, type, code) => {
    expect(read(status, type, '{"message":"m"}')).toMatchObject({ code, details: { upstream: { status } } });
  });

  it('takes a model that is not there for that, whatever the status', () => {
    expect(read(400, 'ValidationException', '{"message":"The provided model identifier is invalid."}')).toMatchObject({
      code: 'provider_model_not_found',
      message: 'The provided model identifier is invalid.',
    });
  });

  it('reads the name from the body as well, and words in either spelling', () => {
    expect(read(429, undefined, '{"__type":"com.amazon.coral.service#ThrottlingException","message":"m"}').details.upstream).toEqual({
      status: 429,
      type: 'ThrottlingException',
    });
    expect(read(400, undefined, '{"Message":"bad hunter2hunter2"}').message).toBe('bad [removed]');
    expect(read(400, undefined, '{}').message).toBe('The provider answered with status 400.');
  });
});
