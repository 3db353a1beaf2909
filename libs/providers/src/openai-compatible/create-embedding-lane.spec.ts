import { createOriginalBody } from '@weir/canonical';
import { buildTarget } from '../__fixtures__/build-target';
import { compatibleProvider } from './rules/compatible-provider.schema';
import { createEmbeddingLane } from './create-embedding-lane';

const laneOf = (embeddings: object, endpoints: object = { embedding: '/embeddings' }) =>
  createEmbeddingLane(
    compatibleProvider.parse({
      id: 'some',
      name: 'Some',
      baseUrl: 'https://some.example/v1',
      env: { apiKey: [], baseUrl: [] },
      endpoints: { chat: '/chat/completions', ...endpoints },
      embeddings,
    }),
    (call) => call,
  );
const BODY = '{ "input": [ "a" ],"model":"m", "dimensions": 1e2, "encoding_format":"base64", "user":"u", "weir":{}, "requesty":{}, "x":1 }';
const edit = (embeddings: object): string => {
  const body = createOriginalBody(BODY);
  const call = body && laneOf(embeddings)?.encodeOriginal(body, buildTarget('upstream'));
  return `${call?.path} ${call?.body}`;
};

describe('the embedding lane of a compatible provider', () => {
  it('sends the caller’s own bytes on, but for the model and what only this gateway knows', () => {
    expect(edit({ hasBase64: true })).toBe(
      '/embeddings {"input": [ "a" ],"model":"upstream","dimensions": 1e2,"encoding_format":"base64","user":"u","x":1}',
    );
  });

  it('asks for numbers where a provider has nothing else, and calls fields what the provider calls them', () => {
    expect(edit({ renameParams: { dimensions: 'output_dimension' }, dropParams: ['user'] })).toBe(
      '/embeddings {"input": [ "a" ],"model":"upstream","x":1,"output_dimension":1e2}',
    );
  });

  it('says what it left out because the provider refuses it', () => {
    const lane = laneOf({ dropParams: ['user', 'absent'] });
    const body = createOriginalBody(BODY);
    expect(body && lane?.encodeOriginal(body, buildTarget('upstream')).dropped).toEqual(['user']);
  });

  it('reads the prompt’s tokens, from the total where that is all there is', () => {
    const read = laneOf({})?.readUsage;
    expect([{ prompt_tokens: 3, total_tokens: 9 }, { total_tokens: 4 }, {}, null, undefined].map((usage) => read?.(usage))).toEqual([
      3,
      4,
      null,
      null,
      null,
    ]);
  });

  it('is not there without an endpoint', () => {
    expect(laneOf({}, {})).toBeUndefined();
  });
});
