import { Histogram, Registry } from 'prom-client';
import fc from 'fast-check';
import { createHistogram } from './create-histogram';

const DESCRIPTION = {
  name: 'boil_seconds',
  help: 'How long eggs "boil"\n',
  labelNames: ['size', 'colour'] as const,
  buckets: [0.1, 1, 2.5, 300],
};

const observation = fc.record({
  labels: fc.record({ size: fc.constantFrom('s', 'm "x"', 'l'), colour: fc.constantFrom('brown', 'white') }),
  value: fc.oneof(fc.constantFrom(0, 0.1, 1, 2.5, 300, 301, -1), fc.double({ min: 0, max: 400, noNaN: true })),
});

describe('a histogram for busy places', () => {
  it('has the page of an ordinary one, before its first observation and after any', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(observation), async (observations) => {
        const [usual, registry] = [new Registry(), new Registry()];
        const expected = new Histogram({ ...DESCRIPTION, registers: [usual] });
        const find = createHistogram({ ...DESCRIPTION, registry });
        find({ size: 'never', colour: 'observed' });
        for (const { labels, value } of observations) {
          expected.observe(labels, value);
          find(labels).observe(value);
        }
        expect(await registry.metrics()).toBe(await usual.metrics());
      }),
      { numRuns: 50 },
    );
  });

  it('counts together where labels are the same', async () => {
    const registry = new Registry();
    const find = createHistogram({ ...DESCRIPTION, registry });
    const one = find({ size: 's', colour: 'white' });
    const same = find({ colour: 'white', size: 's' });
    one.observe(2);
    same.observe(3);
    expect(await registry.metrics()).toContain('boil_seconds_sum{size="s",colour="white"} 5\n');
  });
});
