import { checkExpressBody } from './check-express-body';

const body = { model: 'acme/one', max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] };

it.each([
  ['max_tokens', { max_tokens: undefined }],
  ['max_tokens', { max_tokens: 0 }],
  ['temperature', { temperature: 2.1 }],
  ['temperature', { temperature: 'warm' }],
  ['top_p', { top_p: -0.1 }],
  ['top_p', { top_p: 1.5 }],
  ['top_k', { top_k: -1 }],
  ['messages', { messages: [] }],
  ['messages[0].role', { messages: [{}] }],
])('a messages body is refused for its %s: %j', (field, changes) => {
  expect(() => checkExpressBody('messages', { ...body, ...changes })).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { field } }) as Error,
  );
});

it.each([{}, { temperature: 0, top_p: 0, top_k: 0 }, { temperature: 2, top_p: 1, top_k: 500 }, { temperature: null }])(
  'a messages body goes on with %j',
  (changes) => {
    expect(() => checkExpressBody('messages', { ...body, ...changes })).not.toThrow();
  },
);

it('numbers of other dialects are their provider’s to judge', () => {
  expect(() => checkExpressBody('chat-completions', { ...body, temperature: 9 })).not.toThrow();
  expect(() => checkExpressBody('responses', { model: 'acme/one', input: 'hello', top_p: 9 })).not.toThrow();
});

it('an answer that would be made in the background is refused: nobody could fetch it', () => {
  expect(() => checkExpressBody('responses', { model: 'acme/one', input: 'hello', background: true })).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { field: 'background' } }) as Error,
  );
  expect(() => checkExpressBody('responses', { model: 'acme/one', input: 'hello', background: false })).not.toThrow();
});
