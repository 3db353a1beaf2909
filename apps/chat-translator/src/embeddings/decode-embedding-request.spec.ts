import { decodeEmbeddingRequest } from './decode-embedding-request';

const model = 'sandbox/embedding';
const decode = (body: object) => decodeEmbeddingRequest({ model, ...body });

describe('an embedding request', () => {
  it.each([
    ['text', 'hello', { kind: 'texts', items: ['hello'] }],
    ['space, which is text', ' \n', { kind: 'texts', items: [' \n'] }],
    ['texts', ['a', 'b'], { kind: 'texts', items: ['a', 'b'] }],
    ['tokens', [1, 2, 0], { kind: 'tokens', items: [[1, 2, 0]] }],
    ['lists of tokens', [[1, 2], [3]], { kind: 'tokens', items: [[1, 2], [3]] }],
    ['the most entries', Array<string>(2048).fill('x'), { kind: 'texts', items: Array<string>(2048).fill('x') }],
    ['more tokens than entries may be', Array<number>(3000).fill(7), { kind: 'tokens', items: [Array<number>(3000).fill(7)] }],
  ])('takes %s', (_what, input, inputs) => {
    expect(decode({ input })).toEqual({ model, inputs, encodingFormat: 'float' });
  });

  it('reads every other field, and keeps the ones it has no word for', () => {
    expect(
      decode({ input: 'x', encoding_format: 'base64', dimensions: 3, user: 'u', weir: { tags: ['t'] }, input_type: 'search_query' }),
    ).toEqual({
      model,
      inputs: { kind: 'texts', items: ['x'] },
      encodingFormat: 'base64',
      dimensions: 3,
      endUserId: 'u',
      unmapped: { input_type: 'search_query' },
    });
    expect(decode({ input: 'x', encoding_format: null, dimensions: null, user: null })).toEqual(decode({ input: 'x' }));
  });

  it.each([
    ['no input', {}, 'input'],
    ['input null', { input: null }, 'input'],
    ['an object', { input: { text: 'x' } }, 'input'],
    ['empty text', { input: '' }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['empty text among others', { input: ['a', ''] }, 'input[1]'],
    ['too many entries', { input: Array(2049).fill('x') }, 'input'],
    ['too many token lists', { input: Array(2049).fill([1]) }, 'input'],
    ['text and tokens', { input: ['a', 1] }, 'input[1]'],
    ['tokens and text', { input: [1, 'a'] }, 'input'],
    ['token lists and text', { input: [[1], 'a'] }, 'input[1]'],
    ['an empty token list', { input: [[1], []] }, 'input[1]'],
    ['a fraction for a token', { input: [1.5] }, 'input'],
    ['a negative token', { input: [[1], [-1]] }, 'input[1]'],
    ['nested too deep', { input: [[[1]]] }, 'input[0]'],
    ['an unknown format', { input: 'x', encoding_format: 'int8' }, 'encoding_format'],
    ['no dimensions', { input: 'x', dimensions: 0 }, 'dimensions'],
    ['half a dimension', { input: 'x', dimensions: 1.5 }, 'dimensions'],
    ['dimensions as text', { input: 'x', dimensions: '256' }, 'dimensions'],
    ['a user that is no text', { input: 'x', user: 7 }, 'user'],
  ])('refuses %s and names the field', (_what, body, field) => {
    expect(() => decode(body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: expect.objectContaining({ field }) as object }),
    );
  });
});
