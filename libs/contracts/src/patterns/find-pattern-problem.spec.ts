import fc from 'fast-check';
import { findPatternProblem } from './find-pattern-problem';

describe('findPatternProblem', () => {
  it.each([
    'EMP-\\d+',
    '\\bEMP-\\d{4,8}\\b',
    'Project (?:Falcon|Eagle|Falconry)',
    '[a-z.]{1,64}@corp\\.example',
    '\\b\\d+-INV',
    '^\\d+$',
    'KV-[A-Z]{2}(?:-\\d{3}){2,4}',
    '\\d{1,3}[- ]?\\d{3}[- ]?\\d{4}',
    '\\p{Lu}{3}\\d{6}',
    'id=(?<id>[0-9a-f]{32})',
    '"[^"]*"',
    '\\u{1F600}\\x41\\n',
  ])('trusts %s', (pattern) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
  });

  it.each([
    ['(a+)+b', 'repeats a group'],
    ['(a|a)*b', 'repeats a group'],
    ['(?:x(?:ab?)){2,9}', 'repeats a group'],
    ['(a)\\1', 'refers back'],
    ['(?<x>a)\\k<x>', 'refers back'],
    ['a(?=b)', 'looks ahead'],
    ['(?<!a)b', 'looks ahead'],
    ['a+b', 'begins with an open repetition'],
    ['.*x', 'followed by what it matches'],
    ['x\\d+\\d+', 'followed by what it matches'],
    ['ab[ab]*c', 'begins with an open repetition'],
    ['(?:[a-z]|x)?[a-z]+@', 'begins with an open repetition'],
    ['x' + 'a?'.repeat(30) + 'a'.repeat(30), 'too many ways'],
    ['(?:a|a)'.repeat(12), 'too many ways'],
    ['a{1000}', 'counts to more'],
    ['(?:(?:a{200}){200}){2}', 'asks for more'],
    ['a*', 'matches the empty text'],
    ['a||b', 'matches the empty text'],
    ['[', 'is not a regular expression'],
    ['a**', 'is not a regular expression'],
  ])('refuses %s', (pattern, reason) => {
    expect(findPatternProblem(pattern)).toContain(reason);
  });

  /** Pieces that, put together at random, give many dangerous patterns and some harmless ones. */
  const piece = fc.constantFrom(
    'a',
    'b',
    'a+',
    'a*',
    '[ab]*',
    '(?:a|b)',
    '(?:ab)+',
    'a?',
    '\\b',
    '-',
    '-+',
    'b{1,9}',
    '(?:a-|-a)?',
    '[^-]*',
    '.',
    '^',
  );

  it('whatever it trusts takes little time, also on texts made to make it slow', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const pattern = pieces.join('');
        if (findPatternProblem(pattern) !== undefined) return;
        const startedAt = performance.now();
        for (const text of ['a', 'ab', '-a', 'b', 'aab-', '-']) new RegExp(pattern, 'gu')[Symbol.replace](text.repeat(20_000), '');
        expect(performance.now() - startedAt).toBeLessThan(2000);
      }),
      { numRuns: 150 },
    );
  });
});
