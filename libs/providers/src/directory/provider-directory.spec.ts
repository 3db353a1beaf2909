import { createLossReport, createOriginalBody, type OriginalBody } from '@weir/canonical';
import { buildRequest, buildTarget } from '../__fixtures__/build-target';
import { urlOfCall, type Provider } from '../provider/provider';
import { createProviderDirectory } from './provider-directory';
import { normaliseBaseUrl } from '../settings/provider-settings';

const directoryOf = (env: Record<string, string>) =>
  createProviderDirectory({ env: (name) => env[name], transport: () => Promise.reject(new Error('no network here')) });
const find = (env: Record<string, string>, id: string): Provider => {
  const provider = directoryOf(env).find(id);
  if (provider === undefined) throw new Error(`${id} is not configured`);
  return provider;
};
const call = { path: '', body: '' };

describe('createProviderDirectory', () => {
  it('has the sandbox only, until keys are given', () => {
    const directory = directoryOf({});

    expect(directory.known().filter((id) => directory.isConfigured(id))).toEqual(['sandbox']);
    expect(directory.find('openai')).toBeUndefined();
    expect(directory.find('unheard-of')).toBeUndefined();
  });

  it('knows every provider that the gateway supports', () => {
    const ids =
      'openai mistral groq deepseek xai together fireworks deepinfra nebius cerebras perplexity openrouter moonshot alibaba novita zai scaleway ovhcloud ollama vllm';
    expect(directoryOf({}).known()).toEqual(
      expect.arrayContaining([...ids.split(' '), 'anthropic', 'cohere', 'google', 'minimax', 'openai-responses', 'sandbox']),
    );
  });

  it('puts all replies of a server of the operator’s own right, unless the operator states that it conforms', () => {
    const env = { PROVIDER_VLLM_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'k' };

    expect(find(env, 'vllm').express?.deviations).toHaveLength(7);
    expect(find({ ...env, PROVIDER_VLLM_CONFORMS: 'true' }, 'vllm').express?.deviations).toEqual([]);
    expect(find(env, 'openai').express?.deviations).toEqual([]);
  });

  it('reads our own names of variables before the customary ones, and takes blank for absent', () => {
    const env = {
      PROVIDER_OPENAI_API_KEY: 'ours',
      OPENAI_API_KEY: 'theirs',
      PROVIDER_OPENAI_BASE_URL: ' ',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/',
    };

    expect(find(env, 'openai').authorize(call, buildTarget())).toEqual({ authorization: 'Bearer ours' });
    expect(find(env, 'openai').baseUrl).toBe('http://127.0.0.1:9/v1');
    expect(directoryOf({ OPENAI_API_KEY: '  ' }).isConfigured('openai')).toBe(false);
  });

  it('gives one account to both interfaces of one vendor, unless they have their own', () => {
    expect(find({ PROVIDER_OPENAI_API_KEY: 'k' }, 'openai-responses').authorize(call, buildTarget())).toEqual({
      authorization: 'Bearer k',
    });
    expect(
      find({ PROVIDER_OPENAI_API_KEY: 'k', PROVIDER_OPENAI_RESPONSES_API_KEY: 'r' }, 'openai-responses').authorize(call, buildTarget()),
    ).toEqual({ authorization: 'Bearer r' });
  });

  it('takes a server on one’s own machine without a key once its address is named', () => {
    expect(directoryOf({}).isConfigured('ollama')).toBe(false);
    expect(find({ OLLAMA_BASE_URL: 'http://127.0.0.1:11434' }, 'ollama').baseUrl).toBe('http://127.0.0.1:11434/v1');
    expect(find({ OLLAMA_BASE_URL: 'http://127.0.0.1:11434' }, 'ollama').authorize(call, buildTarget())).toEqual({});
    expect(find({ VLLM_API_KEY: 'k' }, 'vllm').baseUrl).toBe('http://127.0.0.1:8000/v1');
    expect(directoryOf({ GROQ_BASE_URL: 'http://127.0.0.1:1' }).isConfigured('groq')).toBe(false);
  });

  it.each(['http://127.0.0.1:9', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v1/'])(
    'reaches the same paths whether the address %s has the version or not',
    (url) => {
      const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url };
      const addressOf = (id: string): string => {
        const provider = find(env, id);
        return urlOfCall(
          provider,
          provider.express?.encodeOriginal(createOriginalBody('{}') as OriginalBody, buildTarget(), false) ?? call,
        );
      };

      expect(addressOf('openai')).toBe('http://127.0.0.1:9/v1/chat/completions');
      expect(addressOf('openai-responses')).toBe('http://127.0.0.1:9/v1/responses');
      expect(addressOf('anthropic')).toBe('http://127.0.0.1:9/v1/messages');
    },
  );

  it('signs the Messages API with its own headers', () => {
    expect(find({ ANTHROPIC_API_KEY: 'k' }, 'anthropic').authorize(call, buildTarget())).toEqual({
      'x-api-key': 'k',
      'anthropic-version': '2023-06-01',
    });
    expect(find({ MINIMAX_API_KEY: 'k' }, 'minimax').baseUrl).toBe('https://api.minimax.io/anthropic/v1');
  });

  it.each(['COHERE_API_KEY', 'CO_API_KEY', 'PROVIDER_COHERE_API_KEY'])('reaches version 2 of Cohere’s API with the key of %s', (name) => {
    expect(find({ [name]: 'k' }, 'cohere').authorize(call, buildTarget())).toEqual({ authorization: 'Bearer k' });
    expect(find({ [name]: 'k' }, 'cohere').baseUrl).toBe('https://api.cohere.com/v2');
    expect(find({ [name]: 'k', CO_API_URL: 'http://127.0.0.1:9' }, 'cohere').baseUrl).toBe('http://127.0.0.1:9/v2');
  });

  it('sends an attempt bound to a region there, unless the operator named an address', () => {
    const addressOf = (env: Record<string, string>, region: string | null): string => {
      const provider = find({ MISTRAL_API_KEY: 'k', ...env }, 'mistral');
      return urlOfCall(provider, provider.codec?.encodeRequest(buildRequest(), buildTarget('m', {}, region), createLossReport()) ?? call);
    };

    expect(addressOf({}, 'eu')).toBe('https://api.eu.mistral.ai/v1/chat/completions');
    expect(addressOf({}, null)).toBe('https://api.mistral.ai/v1/chat/completions');
    expect(addressOf({}, 'mars')).toBe('https://api.mistral.ai/v1/chat/completions');
    expect(addressOf({ MISTRAL_BASE_URL: 'http://127.0.0.1:1' }, 'eu')).toBe('http://127.0.0.1:1/v1/chat/completions');
  });

  it('never shows a configured key in an error', () => {
    const error = find({ XAI_API_KEY: 'Zq8w' }, 'xai').readError(400, {}, '{"code":"x","error":"bad Zq8w key"}');
    expect(error).toMatchObject({ code: 'provider_refused', message: 'bad [removed] key' });
  });

  it('searches for chat callers through the Responses API where the vendor searches nowhere else', () => {
    const provider = find({ OPENAI_API_KEY: 'k' }, 'openai');
    const target = buildTarget('gpt-x', { supportsWebSearch: true });
    const searching = buildRequest({ tools: [{ kind: 'web-search' }] });
    const body = createOriginalBody('{"tools":[{"type":"web_search"}]}') as OriginalBody;

    expect(provider.express?.suits?.(body, target)).toBe(false);
    expect(provider.express?.suits?.(createOriginalBody('{"messages":[]}') as OriginalBody, target)).toBe(true);
    expect(provider.codec?.encodeRequest(searching, target, createLossReport()).path).toBe('/responses');
    expect(provider.codec?.decodeReply('{"id":"r","output":[],"status":"completed"}', target)).toMatchObject({ id: 'r' });
    expect(provider.codec?.encodeRequest(buildRequest(), target, createLossReport()).path).toBe('/chat/completions');
    expect(() => provider.codec?.decodeReply('{"id":"r","output":[],"status":"completed"}', target)).toThrow();
  });
});

describe('the settings of a provider', () => {
  it.each([
    ['openai', 'OPENAI_API_KEY'],
    ['openai-responses', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['azure', 'PROVIDER_AZURE_API_KEY with AZURE_RESOURCE_NAME'],
    ['bedrock', 'PROVIDER_BEDROCK_API_KEY or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY'],
    ['sandbox', undefined],
    ['unheard-of', undefined],
  ])('are named: %s', (id, expected) => {
    expect(directoryOf({}).settingsOf(id)).toBe(expected);
  });

  it('set it up, whichever provider it is', () => {
    const { known, settingsOf } = directoryOf({});
    for (const id of known().filter((each) => each !== 'sandbox' && !each.startsWith('vertex'))) {
      const [first = ''] = (settingsOf(id) ?? '').split(' or ');
      const env = Object.fromEntries(first.split(' with ').map((name) => [name, name.endsWith('_URL') ? 'https://example.org' : 'k']));
      expect([id, first, directoryOf(env).isConfigured(id)]).toEqual([id, first, true]);
    }
  });
});

describe('normaliseBaseUrl', () => {
  it.each([
    ['https://proxy.example', 'https://api.groq.com/openai/v1', false, 'https://proxy.example/openai/v1'],
    ['https://proxy.example/llm', 'https://api.openai.com/v1', false, 'https://proxy.example/llm'],
    ['https://proxy.example/anthropic', 'https://api.anthropic.com/v1', true, 'https://proxy.example/anthropic/v1'],
    ['https://proxy.example/anthropic/v1', 'https://api.anthropic.com/v1', true, 'https://proxy.example/anthropic/v1'],
    ['https://proxy.example/', 'https://api.deepseek.com', false, 'https://proxy.example'],
    ['https://proxy.example/v1beta', 'https://generativelanguage.googleapis.com/v1beta', true, 'https://proxy.example/v1beta'],
  ])('reads %s for %s', (given, standard, addsVersion, expected) => {
    expect(normaliseBaseUrl(given, standard, addsVersion)).toBe(expected);
  });
});
