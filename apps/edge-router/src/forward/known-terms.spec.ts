import { createKnownTerms } from './known-terms';

describe('terms that processes of workers have', () => {
  it('are those they were sent, until they may have forgotten them or ask for them', () => {
    let now = 0;
    const known = createKnownTerms({ now: () => now });
    known.add('p', 'a');
    known.add('p', 'b');
    known.remove('p', 'b');
    expect([known.has('p', 'a'), known.has('p', 'b'), known.has('q', 'a')]).toEqual([true, false, false]);
    now = 4 * 60_000;
    expect(known.has('p', 'a')).toBe(false);
  });

  it('are no more than can be remembered, of no more processes', () => {
    const known = createKnownTerms({ now: () => 0, processesMax: 2, termsMax: 2 });
    for (const digest of ['a', 'b', 'a', 'c']) known.add('p', digest);
    expect(['a', 'b', 'c'].map((digest) => known.has('p', digest))).toEqual([true, false, true]);
    known.add('q', 'a');
    known.add('r', 'a');
    expect(['p', 'q', 'r'].map((process) => known.has(process, 'a'))).toEqual([false, true, true]);
  });
});
