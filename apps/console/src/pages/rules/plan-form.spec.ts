import { EMPTY_PLAN, findPlanErrors, readHeaders, toPlanBody } from './plan-form';

it('writes the body as the endpoint would receive it', () => {
  const chat = { ...EMPTY_PLAN, model: 'policy/main', user: 'ann', headers: 'X-Weir-Team: red' };
  expect(toPlanBody(chat)).toEqual({
    endpoint: 'chat-completions',
    headers: { 'x-weir-team': 'red' },
    body: { model: 'policy/main', messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 500, weir: { user_id: 'ann' } },
  });
  expect(toPlanBody({ ...EMPTY_PLAN, endpoint: 'responses', key: 'k' })).toEqual({
    endpoint: 'responses',
    api_key_id: 'k',
    headers: {},
    body: { input: 'Hello!', max_output_tokens: 500 },
  });
  expect(toPlanBody({ ...EMPTY_PLAN, endpoint: 'transcriptions', model: 'a/b', length: '63' }).body).toEqual({ model: 'a/b', seconds: 63 });
});

it('says what cannot be sent', () => {
  expect(findPlanErrors(EMPTY_PLAN)).toEqual({});
  expect(findPlanErrors({ ...EMPTY_PLAN, endpoint: 'speech', length: '-1', headers: 'no header' })).toEqual({
    model: 'Choose a model.',
    length: undefined,
    headers: '“no header” is no header: write name: value.',
  });
  expect(findPlanErrors({ ...EMPTY_PLAN, length: 'many' }).length).toBe('Write a whole number.');
});

it('reads headers line by line, and of two with a name the last', () => {
  expect(readHeaders('a: 1\n\n B-C : x: y \na:2')).toEqual({ headers: { a: '2', 'b-c': 'x: y' }, wrong: undefined });
});
