import { createRingSealer } from '.';

const OLD = 'an old key-encryption key of 32 or more characters';
const NEW = 'a new key-encryption key of 32 or more characters';

describe('what is sealed under a ring', () => {
  it('opens in every process that has the secret, and shows nothing of the text', () => {
    const sealed = createRingSealer(OLD, 'cookie').seal('a secret text');

    expect(createRingSealer(OLD, 'cookie').open(sealed)).toBe('a secret text');
    expect(Buffer.from(sealed, 'base64url').includes('secret')).toBe(false);
    expect(sealed).toMatch(/^[\w-]+$/);
  });

  it('opens while its secret is on the ring, whichever seals now', () => {
    const before = createRingSealer(OLD, 'cookie').seal('text');
    const during = createRingSealer(`${NEW}, ${OLD}`, 'cookie');

    expect(during.open(before)).toBe('text');
    expect(createRingSealer(NEW, 'cookie').open(during.seal('text'))).toBe('text');
    expect(createRingSealer(NEW, 'cookie').open(before)).toBeUndefined();
  });

  it('opens for no other purpose, not when a byte was changed, and nothing that was never sealed', () => {
    const ring = createRingSealer(OLD, 'cookie');
    const sealed = ring.seal('text');
    const changed = Buffer.from(sealed, 'base64url');
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);

    expect(createRingSealer(OLD, 'link').open(sealed)).toBeUndefined();
    for (const text of [changed.toString('base64url'), '', 'x', 'ä'.repeat(50), sealed.slice(0, 30)])
      expect(ring.open(text)).toBeUndefined();
  });
});
