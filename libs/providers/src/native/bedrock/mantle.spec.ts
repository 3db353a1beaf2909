import { createLossReport, createOriginalBody, type OriginalBody } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { decodeInPieces } from '../../__fixtures__/decode-in-pieces';
import { urlOfCall, type ChatCodec, type Provider } from '../../provider/provider';
import { openMantleProvider } from './mantle';

const find = (env: Record<string, string>): Provider | undefined =>
  openMantleProvider(
    (name) => env[name],
    () => Promise.reject(new Error('no network here')),
  );
const open = (env: Record<string, string> = { AWS_BEARER_TOKEN_BEDROCK: 'k' }): Provider & { codec: ChatCodec } => {
  const provider = find(env);
  if (provider?.codec === null || provider === undefined) throw new Error('not configured');
  return { ...provider, codec: provider.codec };
};
const body = createOriginalBody('{"messages":[]}') as OriginalBody;

describe('openMantleProvider', () => {
  it('is opened by an API key only', () => {
    expect(find({ AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' })).toBeUndefined();
    expect(open({ PROVIDER_BEDROCK_API_KEY: 'k' }).authorize({ path: '', body: '' }, buildTarget())).toEqual({ authorization: 'Bearer k' });
  });

  it.each([
    ['google.gemma-4-31b', null, {}, 'https://bedrock-mantle.us-east-1.api.aws/openai/v1/chat/completions'],
    ['google.gemma-4-31b', 'eu-west-1', {}, 'https://bedrock-mantle.eu-west-1.api.aws/openai/v1/chat/completions'],
    ['openai.gpt-5.6-sol', null, { AWS_REGION: 'us-west-2' }, 'https://bedrock-mantle.us-west-2.api.aws/openai/v1/responses'],
    [
      'openai.gpt-oss-120b',
      'eu-west-1',
      { PROVIDER_BEDROCK_MANTLE_BASE_URL: 'http://127.0.0.1:9' },
      'http://127.0.0.1:9/openai/v1/chat/completions',
    ],
  ])('sends %s in %s with %j to %s', (model, region, env, expected) => {
    const provider = open({ AWS_BEARER_TOKEN_BEDROCK: 'k', PROVIDER_BEDROCK_BASE_URL: 'http://127.0.0.1:8', ...env });
    const target = buildTarget(model, {}, region);

    expect(urlOfCall(provider, provider.codec.encodeRequest(buildRequest(), target, createLossReport()))).toBe(expected);
    expect(provider.express?.suits?.(body, target)).toBe(!expected.endsWith('/responses'));
    if (!expected.endsWith('/responses'))
      expect(urlOfCall(provider, provider.express?.encodeOriginal(body, target, false) ?? { path: '', body: '' })).toBe(expected);
  });
});

describeWithFixtures('captured replies of Mantle', () => {
  it('are read, and their state is of its own family', () => {
    const captures = listCaptures({ under: 'pydantic+pydantic-ai/bedrock-mantle/' }).flatMap((path) => loadCaptures(path));
    const { codec } = open();
    const target = buildTarget('openai.gpt-5.5');
    const replies = captures.filter(({ kind }) => kind === 'json').map(({ body: text }) => codec.decodeReply(String(text), target));
    const streams = captures
      .filter(({ kind }) => kind === 'sse')
      .map(({ body: text }) => decodeInPieces(codec.createStreamDecoder(target), String(text)));

    expect([replies.length, streams.length].every((count) => count > 0)).toBe(true);
    for (const events of streams) expect([checkGrammar(events), events.at(-1)?.type]).toEqual([[], 'end']);
    const families = replies
      .flatMap((reply) => reply.choices[0]?.content ?? [])
      .flatMap((block) => (block.type === 'reasoning' && block.state !== undefined ? [block.state.family] : []));
    expect(families.length).toBeGreaterThan(0);
    expect(new Set(families)).toEqual(new Set(['bedrock-mantle']));
  });
});
