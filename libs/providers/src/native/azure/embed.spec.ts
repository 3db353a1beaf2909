import { createOriginalBody } from '@weir/canonical';
import { buildTarget } from '../../__fixtures__/build-target';
import { urlOfCall } from '../../provider/provider';
import { openAzureProvider } from './index';

const ENV: Record<string, string> = {
  AZURE_OPENAI_API_KEY: 'k',
  AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com',
  PROVIDER_AZURE_EU_BASE_URL: 'https://mine-eu.openai.azure.com',
};

describe('embeddings through a resource of one’s own', () => {
  it.each([
    ['azure/openai/text-embedding-3-large', 'https://mine.openai.azure.com/openai/v1/embeddings'],
    ['azure-eu/openai/text-embedding-3-large', 'https://mine-eu.openai.azure.com/openai/v1/embeddings'],
  ])('%s goes to %s', (modelId, url) => {
    const provider = openAzureProvider(
      'azure',
      (name) => ENV[name],
      () => Promise.reject(new Error('nothing is sent')),
    );
    const lane = provider?.embeddings;
    const body = createOriginalBody(`{"model":"${modelId}","input":[1,2],"encoding_format":"base64","weir":{}}`);
    if (provider === undefined || lane?.kind !== 'express' || body === undefined) throw new Error('there is no such lane');
    const plain = buildTarget('text-embedding-3-large');
    const call = lane.encodeOriginal(body, { ...plain, attempt: { ...plain.attempt, modelId } });

    expect(urlOfCall(provider, call)).toBe(url);
    expect(call.body).toBe('{"model":"text-embedding-3-large","input":[1,2],"encoding_format":"base64"}');
    expect([provider.modalities.includes('embedding'), lane.takesTokens]).toEqual([true, true]);
  });
});
