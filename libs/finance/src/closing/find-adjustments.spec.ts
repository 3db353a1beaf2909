import fc from 'fast-check';
import type { ChargeLine } from '../lines/charge-line';
import { findAdjustments } from './find-adjustments';

const line = (more: Partial<ChargeLine>): ChargeLine => ({
  ...{ day: '2026-10-01', apiKeyId: 'key', memberId: null, groupId: null, keyLabels: {}, groupLabels: {} },
  ...{ modelUsed: 'a', providerUsed: 'p', modality: 'chat', isByok: false, requests: 1n, attempts: 1n, costPico: 5n, billedPico: 5n },
  ...more,
});

it('finds what came late, what became cheaper, and nothing else', () => {
  const fixed = [line({ keyLabels: { a: '1', b: '2' } }), line({ modelUsed: 'b', costPico: 9n, billedPico: 9n })];
  const now = [
    line({ modelUsed: 'b', costPico: 7n, billedPico: 7n }),
    line({ keyLabels: { b: '2', a: '1' } }),
    line({ modelUsed: 'late', requests: 2n }),
  ];

  expect(findAdjustments(now, fixed)).toEqual([
    line({ modelUsed: 'b', requests: 0n, attempts: 0n, costPico: -2n, billedPico: -2n }),
    line({ modelUsed: 'late', requests: 2n }),
  ]);
  expect(findAdjustments(now, [...fixed, ...findAdjustments(now, fixed)])).toEqual([]);
});

it('is, with what is fixed, what is now, whatever both are', () => {
  const aLine = fc.record({
    ...{ day: fc.constantFrom('2026-10-01', '2026-10-02'), modelUsed: fc.constantFrom('a', 'b') },
    ...{ costPico: fc.bigInt({ min: 0n, max: 10n ** 18n }), groupId: fc.option(fc.constant('g')) },
  });
  fc.assert(
    fc.property(fc.array(aLine), fc.array(aLine), (some, others) => {
      const [now, fixed] = [some.map(line), others.map(line)];
      const sum = (lines: readonly ChargeLine[]): bigint => lines.reduce((all, { costPico }) => all + costPico, 0n);
      expect(sum(fixed) + sum(findAdjustments(now, fixed))).toBe(sum(now));
    }),
  );
});
