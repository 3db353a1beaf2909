import { decodeGenerationCursor, encodeGenerationCursor, type GenerationCursor } from './generation-cursor';

it.each<GenerationCursor>([
  { before: { admittedAtMs: 1_790_000_000_000, requestId: '0199-é.~%' } },
  { since: { atMs: 1_790_000_000_000, mark: 2n ** 40n } },
  { before: { admittedAtMs: 0, requestId: 'r' }, since: { atMs: 0, mark: 0n } },
])('reads what it wrote', (cursor) => {
  const text = encodeGenerationCursor(cursor);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(decodeGenerationCursor(text)).toEqual(cursor);
});

it.each([
  '',
  '1....',
  '2.1...r',
  '1.1...',
  '1..5..',
  '1.9999999999999999...r',
  '1.999999999999999...r',
  '1.1...a\0b',
  "1.1'...r",
  '1.-1...r',
])('refuses %j', (text) => {
  expect(decodeGenerationCursor(Buffer.from(text).toString('base64url'))).toBeUndefined();
});
