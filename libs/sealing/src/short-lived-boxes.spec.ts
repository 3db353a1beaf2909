import { createCallerBox, createTransitSealer } from '.';

const SECRET = 'a secret of thirty-two or more characters';

describe('a transit sealer', () => {
  it('opens with the same secret for the same purpose only, and shows nothing of what it holds', () => {
    const sealed = createTransitSealer(SECRET).seal('{"api_key":"sk-very-secret"}', 'acme');

    expect(createTransitSealer(SECRET).open(sealed, 'acme')).toBe('{"api_key":"sk-very-secret"}');
    expect(sealed).not.toContain('very-secret');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('very-secret');
    expect(() => createTransitSealer(SECRET).open(sealed, 'other')).toThrow();
    expect(() => createTransitSealer(`${SECRET}!`).open(sealed, 'acme')).toThrow();
  });
});

describe('a caller’s box', () => {
  const parts = { secret: SECRET, organizationId: 'ours', phrase: 'idempotent answer:key-1', context: 'place' };

  it('opens for the same phrase in the same place only', () => {
    const sealed = createCallerBox(parts).seal(Buffer.from('an answer'));

    expect(createCallerBox(parts).open(sealed).toString()).toBe('an answer');
    expect(sealed.includes('an answer')).toBe(false);
    for (const other of [
      { phrase: 'idempotent answer:key-2' },
      { organizationId: 'theirs' },
      { context: 'elsewhere' },
      { secret: `${SECRET}!` },
    ]) {
      expect(() => createCallerBox({ ...parts, ...other }).open(sealed)).toThrow();
    }
  });
});
