import { readFileLink, signFileLink } from './file-link';

const LINK = { organizationId: 'org-1', fileId: 'file-a', expiresAtMs: 1_800_000_000_000 };
const at = { secret: 'secret-1', nowMs: 1_799_999_999_000 };
const query = signFileLink(LINK, 'secret-1');
const read = (text: string, fileId = 'file-a', more: Partial<typeof at> = {}) =>
  readFileLink(fileId, new URLSearchParams(text), { ...at, ...more });

describe('addresses of kept files', () => {
  it('names the owner of the file until it expires', () => {
    expect(read(query)).toBe('org-1');
    expect(read(query, 'file-a', { nowMs: 1_800_000_000_000 })).toBeUndefined();
  });

  test.each([
    ['another file', () => read(query, 'file-b')],
    ['another secret', () => read(query, 'file-a', { secret: 'secret-2' })],
    ['a later end', () => read(query.replace('1800000000', '1900000000'))],
    ['another owner', () => read(query.replace(/signature=[^.]+/, `signature=${Buffer.from('org-2').toString('base64url')}`))],
    ['no signature', () => read('expires=1800000000')],
    ['an end that is no number', () => read(query.replace('1800000000', '1e30'))],
    ['nothing', () => read('')],
  ])('are refused for %s', (_, ask) => {
    expect(ask()).toBeUndefined();
  });
});
