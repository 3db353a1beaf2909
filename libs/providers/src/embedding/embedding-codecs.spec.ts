import { createLossReport, type EmbeddingRequest } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import { buildTarget } from '../__fixtures__/build-target';
import type { EmbeddingCodec } from '../provider/embedding-provider';
import { embeddingCodec as bedrock } from '../native/bedrock/embed';
import { embeddingCodec as google } from '../native/google/embed';
import { createEmbeddingCodec as createVertex } from '../native/vertex/embed';
import { cohereEmbeddingCodec as cohere } from './cohere-embed';

const vertex = createVertex({ project: 'p', location: 'us-central1', baseUrl: undefined });
const TWO: EmbeddingRequest = { model: 'm', inputs: { kind: 'texts', items: ['hello', 'world'] }, encodingFormat: 'float' };
const ONE: EmbeddingRequest = { ...TWO, inputs: { kind: 'texts', items: ['hello world'] } };
const say = (codec: EmbeddingCodec, model: string, request: EmbeddingRequest) => {
  const losses = createLossReport();
  const call = codec.encodeRequest(request, buildTarget(model), losses);
  return { path: call.path, body: JSON.parse(call.body) as unknown, dropped: [...losses.dropped] };
};
const read = (codec: EmbeddingCodec, body: unknown, model = 'm', headers = {}) =>
  codec.decodeReply({ text: typeof body === 'string' ? body : JSON.stringify(body), headers }, buildTarget(model));

describe('embedding requests in providers’ own words', () => {
  it.each<[string, EmbeddingCodec, string, EmbeddingRequest, string, unknown]>([
    [
      'one request a text',
      google,
      'gemini-embedding-001',
      { ...TWO, dimensions: 512, unmapped: { task_type: 'RETRIEVAL_DOCUMENT', title: 'My Document' } },
      '/models/gemini-embedding-001:batchEmbedContents',
      {
        requests: ['hello', 'world'].map((text) => ({
          model: 'models/gemini-embedding-001',
          content: { parts: [{ text }] },
          outputDimensionality: 512,
          taskType: 'RETRIEVAL_DOCUMENT',
          title: 'My Document',
        })),
      },
    ],
    [
      'texts to be found, unless the request says otherwise',
      cohere,
      'embed-v4.0',
      { ...TWO, dimensions: 256 },
      '/embed',
      { model: 'embed-v4.0', texts: ['hello', 'world'], input_type: 'search_document', embedding_types: ['float'], output_dimension: 256 },
    ],
    [
      'texts to search with',
      cohere,
      'embed-v4.0',
      { ...ONE, unmapped: { input_type: 'search_query', truncate: 'END' } },
      '/embed',
      { model: 'embed-v4.0', texts: ['hello world'], input_type: 'search_query', embedding_types: ['float'], truncate: 'END' },
    ],
    [
      'a model invoked by its maker’s words',
      bedrock,
      'cohere.embed-english-v3',
      TWO,
      '/model/cohere.embed-english-v3/invoke',
      { texts: ['hello', 'world'], input_type: 'search_document', embedding_types: ['float'] },
    ],
    [
      'one text a call',
      bedrock,
      'amazon.titan-embed-text-v2:0',
      { ...ONE, dimensions: 1024 },
      '/model/amazon.titan-embed-text-v2%3A0/invoke',
      { inputText: 'hello world', dimensions: 1024 },
    ],
    [
      'one text a call, deep inside',
      bedrock,
      'amazon.nova-2-multimodal-embeddings-v1:0',
      { ...ONE, dimensions: 1024 },
      '/model/amazon.nova-2-multimodal-embeddings-v1%3A0/invoke',
      {
        taskType: 'SINGLE_EMBEDDING',
        singleEmbeddingParams: {
          embeddingPurpose: 'GENERIC_INDEX',
          embeddingDimension: 1024,
          text: { truncationMode: 'END', value: 'hello world' },
        },
      },
    ],
    [
      'predictions',
      vertex,
      'text-embedding-005',
      { ...TWO, dimensions: 512, unmapped: { task_type: 'RETRIEVAL_DOCUMENT', title: 'My Document', auto_truncate: true } },
      '/projects/p/locations/us-central1/publishers/google/models/text-embedding-005:predict',
      {
        instances: ['hello', 'world'].map((content) => ({ content, task_type: 'RETRIEVAL_DOCUMENT', title: 'My Document' })),
        parameters: { autoTruncate: true, outputDimensionality: 512 },
      },
    ],
    [
      'one content',
      vertex,
      'gemini-embedding-2',
      { ...ONE, dimensions: 512 },
      '/projects/p/locations/us-central1/publishers/google/models/gemini-embedding-2:embedContent',
      { content: { parts: [{ text: 'hello world' }] }, outputDimensionality: 512 },
    ],
  ])('%s', (_what, codec, model, request, path, body) => {
    expect(say(codec, model, request)).toEqual({ path, body, dropped: [] });
  });

  it.each([
    [google, 'gemini-embedding-001', 100],
    [cohere, 'embed-v4.0', 96],
    [bedrock, 'cohere.embed-v4:0', 96],
    [bedrock, 'amazon.titan-embed-text-v2:0', 1],
    [vertex, 'text-embedding-005', 9],
    [vertex, 'gemini-embedding-001', 1],
  ])('no more than fit into a call', (codec, model, count) => {
    expect(codec.inputsMax(buildTarget(model))).toBe(count);
  });

  it.each([google, cohere])('report the fields they have no word for', (codec) => {
    expect(say(codec, 'm', { ...ONE, endUserId: 'u', unmapped: { seed: 1 } }).dropped).toEqual(['seed', 'user']);
  });

  it('are refused for a model whose maker’s words are not known', () => {
    expect(() => say(bedrock, 'twelvelabs.marengo-embed-2-7-v1:0', ONE)).toThrow(expect.objectContaining({ code: 'unsupported_field' }));
  });
});

describe('embedding replies in providers’ own words', () => {
  it('return usage where the provider reports it, and null where it does not', () => {
    const embeddings = [{ values: [0.5] }];
    expect(read(google, { embeddings })).toEqual({ vectors: [[0.5]], promptTokens: null });
    expect(read(google, { embeddings, usageMetadata: { promptTokenCount: 3 } }).promptTokens).toBe(3);
    expect(read(vertex, { embedding: { values: [0.5] }, usageMetadata: { promptTokenCount: 3 } }, 'gemini-embedding-2')).toEqual({
      vectors: [[0.5]],
      promptTokens: 3,
    });
    expect(read(bedrock, { embedding: [0.5], inputTextTokenCount: 3 }, 'amazon.titan-embed-text-v2:0').promptTokens).toBe(3);
  });

  it('read usage from a header where the body has none', () => {
    const body = { embeddings: [[0.1, 0.2]], id: '123', texts: ['hello'] };
    const headers = { 'x-amzn-bedrock-input-token-count': '9' };
    expect(read(bedrock, body, 'cohere.embed-english-v3', headers)).toEqual({ vectors: [[0.1, 0.2]], promptTokens: 9 });
    expect(read(bedrock, body, 'cohere.embed-english-v3').promptTokens).toBeNull();
    const nova = { embeddings: [{ embedding: [-0.5], embeddingType: 'TEXT' }] };
    expect(read(bedrock, nova, 'amazon.nova-2-multimodal-embeddings-v1:0', headers)).toEqual({ vectors: [[-0.5]], promptTokens: 9 });
  });

  it.each([
    [google, ['', 'x', '[]', '{"embeddings":[{"values":["a"]}]}', '{"embeddings":[{"values":[]}]}', '{"embeddings":[null]}']],
    [cohere, ['', 'x', '[]', '{"embeddings":{"float":[["a"]]}}', '{"embeddings":{"float":[[]]}}', '{"embeddings":[7]}']],
  ])('are unreadable when they are anything else', (codec, texts) => {
    for (const text of texts) expect(() => read(codec, text)).toThrow(expect.objectContaining({ code: 'provider_unreadable' }));
  });
});

describeWithFixtures('captured embedding replies', () => {
  it.each([
    ['agentgateway+agentgateway/vertex/res-embeddings.json', 2, 3, 9],
    ['vercel+ai/cohere/cohere-embedding.json', 2, 5, 10],
    ['traceloop+openllmetry/cohere/test_cohere_v2_embed_legacy.yaml', 6, 384, 208],
  ])('%s', (under, count, length, tokens) => {
    const [captured] = listCaptures({ under }).flatMap((file) => loadCaptures(file));
    const { vectors, promptTokens } = read(under.includes('vertex') ? vertex : cohere, String(captured?.body), 'text-embedding-005');

    expect(vectors.map((vector) => vector.length)).toEqual(Array<number>(count).fill(length));
    expect(promptTokens).toBe(tokens);
  });
});
