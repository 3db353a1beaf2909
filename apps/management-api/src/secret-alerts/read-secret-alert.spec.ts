import { generateApiKey } from '@weir/access';
import { readSecretAlert } from './read-secret-alert';

const key = generateApiKey('live');
const other = generateApiKey('live');
const read = (...found: readonly unknown[]) => readSecretAlert(Buffer.from(JSON.stringify(found)));

describe('a report of tokens', () => {
  it('is read with where each was found', () => {
    expect(read({ token: key, type: 'weir', url: 'https://github.com/o/r/blob/c/f.txt', source: 'content' })).toEqual([
      { token: key, type: 'weir', url: 'https://github.com/o/r/blob/c/f.txt', source: 'content' },
    ]);
    expect(read({ token: key, type: 'weir', url: '', more: 1 })).toEqual([{ token: key, type: 'weir', url: null, source: null }]);
  });

  it.each([
    [`https://user:${key}@github.com/o?k=${key}#${key}`, 'https://github.com/o'],
    [`https://github.com/o/${key}/f`, 'https://github.com/o/[hidden]/f'],
    [`https://github.com/o/${other}`, 'https://github.com/o/[hidden]'],
    [`https://github.com/o/${key.replace('_', '%5F')}`, 'https://github.com/o/[hidden]'],
    ['javascript:alert(1)', null],
    ['no address', null],
    [`https://github.com/${'a'.repeat(3_000)}`, `https://github.com/${'a'.repeat(481)}`],
  ])('keeps of the address nothing that could be secret: %.60s', (url, kept) => {
    expect(read({ token: key, type: key, url })).toEqual([{ token: key, type: '[hidden]', source: null, url: kept }]);
  });

  it.each([
    ['no JSON', '['],
    ['no text', Buffer.from([0xff, 0xfe])],
    ['no list', '{}'],
    ['no token', '[{"type":"t"}]'],
    ['a token that is none', '[{"token":7,"type":"t"}]'],
    ['too many', `[${Array.from({ length: 5_001 }, () => '{"token":"a","type":"t"}').join(',')}]`],
    ['a token without end', JSON.stringify([{ token: 'a'.repeat(3_000), type: 't' }])],
  ])('is refused where it has %s', (_, body) => {
    expect(() => readSecretAlert(Buffer.from(body as string))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
