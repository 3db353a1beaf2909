import { compareSights, diffLines } from './compare-sights';
import type { Sight } from './place';

const sight = (text: string, more: Partial<Sight> = {}): Sight => ({
  subject: 'chat #1, request 1',
  place: 'response-body',
  text,
  ...more,
});

describe('comparing what was seen of two gateways', () => {
  it('finds nothing where all is equal, in whatever order it was seen', () => {
    const [one, other] = [sight('a'), sight('b', { place: 'call' })];

    expect(compareSights([one, other], [other, one])).toEqual([]);
  });

  it('names the request, the place and the lines that differ', () => {
    expect(compareSights([sight('same\nold\nend')], [sight('same\nnew\nend')])).toEqual([
      { subject: 'chat #1, request 1', place: 'response-body', lines: ['at line 2:', '- old', '+ new'] },
    ]);
  });

  it('what only one of them has differs, empty texts too', () => {
    expect(compareSights([sight('a')], [])).toHaveLength(1);
    expect(compareSights([], [sight('')])).toHaveLength(1);
    expect(compareSights([sight('event'), sight('event')], [sight('event')])).toHaveLength(1);
  });

  it('the same lines in another order differ', () => {
    expect(diffLines('a\nb', 'b\na')).toEqual(['at line 1:', '(the same lines in another order or number)']);
  });

  it('of a long line the part where it begins to differ is shown', () => {
    const [, before, after] = diffLines(`${'x'.repeat(5000)}A`, `${'x'.repeat(5000)}B`);

    expect(before).toMatch(/^- …x+A… \(5001 characters, differs from 5000 on\)$/);
    expect(after).toMatch(/^\+ …x+B…/);
  });
});
