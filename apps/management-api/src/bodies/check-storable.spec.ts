import { checkStorable } from './check-storable';

const refusal = (field: string | undefined): unknown =>
  expect.objectContaining({ code: 'invalid_request', details: field === undefined ? {} : { field } });

describe('text that cannot be kept', () => {
  it.each([
    ['in a body', { name: 'a\0' }, 'name'],
    ['half of a pair', { labels: { team: '\ud800' } }, 'labels.team'],
    ['in a list', { models: ['a', { model: '\udfff' }] }, 'models.1.model'],
    ['in a name within a field', { labels: { 'a\0': 'b' } }, 'labels'],
    ['in a name', { '\ud800': 1 }, undefined],
  ])('is refused %s', async (_, body, field) => {
    await expect(checkStorable(body)).rejects.toEqual(refusal(field));
  });

  it('is nothing else', async () => {
    await expect(checkStorable({ a: 'ä😀\u2028', b: [1, null, true, { c: '' }] })).resolves.toBeUndefined();
  });
});
