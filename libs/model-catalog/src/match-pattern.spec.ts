import fc from 'fast-check';
import { createPatternMatcher } from './match-pattern';

const matchesPattern = (pattern: string, id: string): boolean => createPatternMatcher([pattern])(id);

describe('a pattern', () => {
  it.each([
    ['acme/gpt', 'acme/gpt', true],
    ['acme/gpt', 'acme/gpt-2', false],
    ['acme/*', 'acme/gpt', true],
    ['acme/*', 'acme/', true],
    ['acme/*', 'acm', false],
    ['*', '', true],
    ['*', 'any/thing@eu', true],
    ['**', 'any', true],
    ['*/gpt-*', 'host/acme/gpt-4o', true],
    ['*/gpt-*', 'gpt-4o', false],
    ['*:free', 'acme/small:free', true],
    ['*:free', 'acme/small:free2', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['aa*aa', 'aaa', false],
    ['aa*aa', 'aaaa', true],
    ['a*bb*b', 'abbb', true],
    ['a*bb*b', 'abb', false],
    ['acme/gpt-4.1', 'acme/gpt-4x1', false],
    ['acme/(x|y)*', 'acme/x', false],
    ['ACME/*', 'acme/gpt', false],
    ['', 'a', false],
  ])('%j on %j is %s', (pattern, id, expected) => {
    expect(matchesPattern(pattern, id)).toBe(expected);
  });

  it('agrees with a definition by recursion', () => {
    const define = (pattern: string, id: string): boolean => {
      if (pattern === '') return id === '';
      if (pattern[0] === '*') return define(pattern.slice(1), id) || (id !== '' && define(pattern, id.slice(1)));
      return id !== '' && id[0] === pattern[0] && define(pattern.slice(1), id.slice(1));
    };
    const letters = (...of: string[]) => fc.array(fc.constantFrom(...of), { maxLength: 9 }).map((list) => list.join(''));
    fc.assert(
      fc.property(letters('a', 'b', '*'), letters('a', 'b'), (pattern, id) => {
        expect(matchesPattern(pattern, id)).toBe(define(pattern, id));
      }),
      { numRuns: 3_000 },
    );
  });

  it('does not take exponential time over many stars', () => {
    const pattern = `${'a*'.repeat(2_000)}b`;
    expect(matchesPattern(pattern, `${'a'.repeat(20_000)}c`)).toBe(false);
    expect(matchesPattern(pattern, `${'a'.repeat(20_000)}b`)).toBe(true);
  });
});

describe('a list of patterns', () => {
  it('accepts what any of its patterns accepts, and nothing without patterns', () => {
    const matches = createPatternMatcher(['acme/one', 'other/*']);
    expect(['acme/one', 'other/two', 'acme/two'].map(matches)).toEqual([true, true, false]);
    expect(createPatternMatcher([])('acme/one')).toBe(false);
  });
});
