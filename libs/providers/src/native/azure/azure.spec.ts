import { collectReply, createLossReport, createOriginalBody, type OriginalBody } from '@weir/canonical';
import { describeWithFixtures, loadCapture } from '@weir/testing';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { decodeInPieces, toSse } from '../../__fixtures__/decode-in-pieces';
import { urlOfCall, type ChatCodec, type Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import { openAzureProvider } from './index';
import { readError } from './read-error';

const KEY = { AZURE_API_KEY: 'k', AZURE_RESOURCE_NAME: 'acme', AZURE_AI_API_KEY: 'ai' };
const find = (id: 'azure' | 'azure-ai', env: Record<string, string> = KEY): Provider | undefined =>
  openAzureProvider(
    id,
    (name) => env[name],
    () => Promise.reject(new Error('no network here')),
  );
const open = (id: 'azure' | 'azure-ai', env: Record<string, string> = KEY): Provider & { codec: ChatCodec } => {
  const provider = find(id, env);
  if (provider?.codec === null || provider === undefined) throw new Error(`${id} is not configured`);
  return { ...provider, codec: provider.codec };
};
const original = (text: string): OriginalBody => createOriginalBody(text) as OriginalBody;
const inZone = (zone: string): ProviderTarget => {
  const target = buildTarget('gpt-x');
  return { ...target, attempt: { ...target.attempt, modelId: `azure-${zone}/openai/gpt-x` } };
};

describe('openAzureProvider', () => {
  it('needs a key and a resource', () => {
    expect(find('azure', {})).toBeUndefined();
    expect(find('azure', { AZURE_API_KEY: 'k' })).toBeUndefined();
    expect(find('azure', { AZURE_RESOURCE_NAME: 'acme' })).toBeUndefined();
    expect(find('azure-ai', { AZURE_API_KEY: 'k', AZURE_RESOURCE_NAME: 'acme' })).toBeUndefined();
  });

  it.each([
    ['azure', {}, 'https://acme.openai.azure.com/openai/v1'],
    ['azure-ai', {}, 'https://acme.services.ai.azure.com/openai/v1'],
    ['azure', { AZURE_OPENAI_ENDPOINT: 'https://other.openai.azure.com/' }, 'https://other.openai.azure.com/openai/v1'],
    ['azure', { AZURE_OPENAI_ENDPOINT: 'https://other.openai.azure.com/openai/deployments/x' }, 'https://other.openai.azure.com/openai/v1'],
    ['azure-ai', { AZURE_AI_API_BASE: 'https://other.services.ai.azure.com/models' }, 'https://other.services.ai.azure.com/openai/v1'],
    ['azure', { PROVIDER_AZURE_BASE_URL: 'http://127.0.0.1:9' }, 'http://127.0.0.1:9/openai/v1'],
    ['azure', { PROVIDER_AZURE_BASE_URL: 'http://127.0.0.1:9/proxy/v1' }, 'http://127.0.0.1:9/proxy/v1'],
  ] as const)('finds the address of %s with %j', (id, env, expected) => {
    const provider = open(id, { ...KEY, ...env });
    const call = provider.codec.encodeRequest(buildRequest(), buildTarget('gpt-x'), createLossReport());

    expect(urlOfCall(provider, call)).toBe(`${expected}/chat/completions`);
  });

  it('signs with a header of its own, and names the deployment as the model, in both lanes', () => {
    const provider = open('azure');
    const target = buildTarget('our-deployment', { supportsReasoning: true });
    const express = provider.express?.encodeOriginal(original('{"model":"x","messages":[],"max_tokens":5}'), target, false);

    expect(provider.authorize({ path: '', body: '' }, target)).toEqual({ 'api-key': 'k' });
    expect(JSON.parse(express?.body.toString() ?? '')).toEqual({ model: 'our-deployment', messages: [], max_completion_tokens: 5 });
    expect(JSON.parse(provider.codec.encodeRequest(buildRequest({ maxOutputTokens: 5 }), target, createLossReport()).body)).toMatchObject({
      model: 'our-deployment',
      max_completion_tokens: 5,
    });
    expect(provider.express?.readUsage({ prompt_tokens: 3, completion_tokens: 2 })).toMatchObject({ inputUncached: 3, output: 2 });
  });

  it('keeps models of a data zone in their zone, or refuses', () => {
    const zoned = open('azure', { ...KEY, PROVIDER_AZURE_EU_BASE_URL: 'https://eu.openai.azure.com', PROVIDER_AZURE_EU_API_KEY: 'eu' });
    const call = zoned.codec.encodeRequest(buildRequest(), inZone('eu'), createLossReport());

    expect(urlOfCall(zoned, call)).toBe('https://eu.openai.azure.com/openai/v1/chat/completions');
    expect(zoned.authorize(call, inZone('eu'))).toEqual({ 'api-key': 'eu' });
    expect(() => zoned.codec.encodeRequest(buildRequest(), inZone('us'), createLossReport())).toThrow(
      expect.objectContaining({ code: 'provider_not_configured' }),
    );
    expect(() => zoned.express?.encodeOriginal(original('{}'), inZone('us'), false)).toThrow(
      expect.objectContaining({ code: 'provider_not_configured' }),
    );
  });

  it('speaks the Messages API with the models of its maker', () => {
    const provider = open('azure-ai');
    const target = buildTarget('claude-sonnet-4-5');
    const call = provider.codec.encodeRequest(buildRequest(), target, createLossReport());

    expect(urlOfCall(provider, call)).toBe('https://acme.services.ai.azure.com/anthropic/v1/messages');
    expect(provider.authorize(call, target)).toEqual({ 'x-api-key': 'ai', 'anthropic-version': '2023-06-01' });
    expect(provider.express?.suits?.(original('{}'), target)).toBe(false);
    expect(provider.express?.suits?.(original('{}'), buildTarget('deepseek-v3'))).toBe(true);
    expect(provider.codec.decodeReply('{"id":"m","content":[],"stop_reason":"end_turn"}', target)).toMatchObject({ id: 'm' });
  });
});

describe('content filters', () => {
  const verdicts = { hate: { filtered: false, severity: 'safe' } };
  const chunk = (choice: object, more: object = {}): object => ({
    id: 'c',
    created: 5,
    model: 'm',
    choices: [{ index: 0, ...choice }],
    ...more,
  });

  it('come at the end of a stream, those of the first chunk and of the late ones', () => {
    const events = decodeInPieces(
      open('azure').codec.createStreamDecoder(buildTarget('m')),
      toSse([
        {
          choices: [],
          created: 0,
          id: '',
          model: '',
          object: '',
          prompt_filter_results: [{ prompt_index: 0, content_filter_results: verdicts }],
        },
        chunk({ delta: { role: 'assistant', content: 'a' }, content_filter_results: verdicts }),
        {
          id: '',
          created: 0,
          model: '',
          choices: [
            {
              index: 0,
              finish_reason: null,
              content_filter_results: verdicts,
              content_filter_offsets: { check_offset: 1, start_offset: 0, end_offset: 1 },
            },
          ],
        },
        chunk({ delta: {}, finish_reason: 'content_filter' }),
        { id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } },
      ]),
    );

    expect(checkGrammar(events)).toEqual([]);
    expect(events.filter(({ type }) => type === 'opaque')).toMatchObject([
      {
        content: {
          family: 'chat-completions',
          raw: { content_filter_results: verdicts, prompt_filter_results: [{ prompt_index: 0, content_filter_results: verdicts }] },
        },
      },
    ]);
    expect(collectReply(events)).toMatchObject({
      id: 'c',
      model: 'm',
      choices: [{ content: [{ type: 'text', text: 'a' }, { type: 'opaque' }], finish: { unified: 'content-filter' } }],
      usage: { inputUncached: 3 },
    });
  });

  it('that stop a prompt are a refusal', () => {
    const text =
      '{"error":{"message":"The response was filtered due to the prompt triggering the content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"jailbreak":{"filtered":true,"detected":true}}}}}';
    expect(readError(400, {}, text, [])).toMatchObject({
      code: 'provider_content_filtered',
      message: expect.stringContaining('filtered'),
      details: { upstream: { status: 400, code: 'content_filter' } },
    });
  });

  it.each([
    [
      401,
      '{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}',
      'provider_credentials',
    ],
    [
      404,
      '{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}',
      'provider_model_not_found',
    ],
    [429, '{"error":{"code":"429","message":"Requests have exceeded the call rate limit."}}', 'provider_rate_limited'],
    [500, '<html>', 'provider_failed'],
  ])('other failures with status %d stay what they are', (status, text, code) => {
    expect(readError(status, { 'retry-after-ms': '1500' }, text, []).code).toBe(code);
  });
});

describeWithFixtures('captured replies of deployments', () => {
  it('are read as chat completions, with the filters’ verdicts', () => {
    const { codec } = open('azure');
    const whole = codec.decodeReply(String(loadCapture('envoyproxy+ai-gateway/azure/azure-chat-basic.yaml').body), buildTarget('m'));
    const body = String(loadCapture('vercel+ai/openai/chat--azure-model-router.1.chunks.txt').body);
    const events = decodeInPieces(codec.createStreamDecoder(buildTarget('m')), body);

    expect(whole).toMatchObject({
      model: 'gpt-5-nano-2025-08-07',
      usage: { inputUncached: 8, output: 271, reasoning: 192 },
      choices: [{ finish: { unified: 'stop' } }],
    });
    expect(checkGrammar(events)).toEqual([]);
    expect(collectReply(events)).toMatchObject({
      id: 'chatcmpl-CYPS1lijGoK8gd9lYzY3r9Sx50nbt',
      choices: [{ content: [{ text: 'Capital of Denmark.' }, { type: 'opaque' }], finish: { unified: 'stop' } }],
    });
    for (const read of [whole, events]) expect(JSON.stringify(read)).toContain('prompt_filter_results');
    expect(events.map(({ type }) => type).slice(-1)).toEqual(['end']);
    for (const sizes of [[1], [7, 90]]) expect(decodeInPieces(codec.createStreamDecoder(buildTarget('m')), body, sizes)).toEqual(events);
  });

  it('of other makers’ models carry their reasoning', () => {
    const reply = open('azure-ai').codec.decodeReply(
      String(loadCapture('vercel+ai/azure/azure-deepseek-reasoning.1.json').body),
      buildTarget('deepseek-v4-pro'),
    );
    expect(reply.choices[0]?.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  });
});
