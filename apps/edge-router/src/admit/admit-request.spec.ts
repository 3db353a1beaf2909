import { getEndpoint } from '@weir/contracts';
import { readModelId } from './admit-request';

const read = (endpointId: string, json: Record<string, unknown>): string => readModelId(json, getEndpoint(endpointId), 'acme/small');

describe('the model of a request', () => {
  it.each([[{}], [{ model: null }]])('is the default chat model for chat completions with %j', (json) => {
    expect(read('chat-completions', json)).toBe('acme/small');
  });

  it.each([
    ['chat-completions', { model: '' }],
    ['chat-completions', { model: 7 }],
    ['responses', {}],
    ['messages', { model: null }],
    ['embeddings', {}],
    ['speech', {}],
  ])('is required by %s: %j', (endpointId, json) => {
    expect(() => read(endpointId, json)).toThrow(expect.objectContaining({ status: 400, details: { field: 'model' } }) as Error);
  });

  it('is asked for where it is missing, without blame for a value that was not sent', () => {
    expect(() => read('responses', {})).toThrow(/^model is required: the id of a model, such as/);
    expect(() => read('responses', { model: 7 })).toThrow(/^model must be a text that is not empty: /);
  });
});
