import fc from 'fast-check';
import { TextReader } from './text-reader';

/** As the parser reads a text: the quote that ends it, and whether all before it is sound. */
function readSlowly(bytes: Buffer): { end: number; isSound: boolean } {
  const text = bytes.toString('latin1');
  const [inside = ''] = /^(?:[^"\\]|\\[^])*/.exec(text) ?? [];
  return { end: inside.length, isSound: /^(?:[ !#-[\]-\xff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*$/.test(inside) };
}

describe('reading to the end of a text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '\\n',
      '\\"',
      '\\\\',
      '\\u00e9',
      '\\uD83D',
      '\\u00g0',
      '\\x',
      '\n',
      '\x1f',
      ' ',
      '!',
      '#',
      'ü',
      '\u0080',
      ' '.repeat(40),
      'long '.repeat(150),
    ),
  );

  it('finds the same end, and takes what the parser takes, from any place in memory and in any parts', () => {
    const reader = new TextReader();
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.nat(7),
        fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 500, max: 2_000 })),
        (pieces, offset, step) => {
          const bytes = Buffer.from(`${'-'.repeat(offset)}${pieces.join('')}"tail`).subarray(offset);
          reader.start(bytes);
          let at = 0;
          for (let until = step; ; until += step) {
            at = reader.findEnd(at, Math.min(until, bytes.length));
            if (at < until) break;
          }
          expect({ end: at, isSound: reader.isSound }).toEqual(readSlowly(bytes));
        },
      ),
    );
  });
});
