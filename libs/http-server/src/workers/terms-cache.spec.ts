import type { PassportTerms } from '@weir/contracts';
import { createTermsCache } from './terms-cache';

const terms = {} as PassportTerms;

describe('terms that a worker keeps', () => {
  it('are the last that were used, so many at most', () => {
    const cache = createTermsCache({ now: () => 0, termsMax: 2 });
    cache.keep('a', terms, 1);
    cache.keep('b', terms, 1);
    cache.find('a');
    cache.keep('c', terms, 1);

    expect(['a', 'b', 'c'].map((digest) => cache.find(digest))).toEqual([terms, undefined, terms]);
  });

  it('are so large together at most', () => {
    const cache = createTermsCache({ now: () => 0, sizeMax: 10 });
    cache.keep('a', terms, 6);
    cache.keep('a', terms, 4);
    cache.keep('b', terms, 6);
    expect([cache.find('a'), cache.find('b')]).toEqual([terms, terms]);
    cache.keep('c', terms, 7);

    expect(['a', 'b', 'c'].map((digest) => cache.find(digest))).toEqual([undefined, undefined, terms]);
  });

  it('are forgotten after five minutes, however often they are used', () => {
    let now = 0;
    const cache = createTermsCache({ now: () => now });
    cache.keep('a', terms, 1);
    now = 5 * 60_000 - 1;
    expect(cache.find('a')).toBe(terms);
    now += 1;
    expect(cache.find('a')).toBeUndefined();
  });
});
