import { readPart, updatePart } from '../page/fidelity-page';
import { CONVERSATIONS } from './corpus/conversations';
import { compareWithSdk, type SdkComparison } from './sdks/compare-with-sdk';
import { KNOWN_DIFFERENCES } from './sdks/known-differences';
import { ABSENT, listDifferences, describeDifference } from './sdks/list-differences';
import { NORMALISATIONS } from './sdks/normalisations';
import { renderComparisons } from './sdks/render-comparisons';
import { VENDOR_SDKS } from './sdks/vendor-sdks';
import { createLaneRunner } from './run-lane';

describe('requests against what the vendors’ SDKs send', () => {
  const comparisons: SdkComparison[] = [];

  beforeAll(async () => {
    const runner = createLaneRunner();
    for (const sdk of VENDOR_SDKS) comparisons.push(await compareWithSdk(sdk, CONVERSATIONS, runner));
    updatePart('vendor SDKs', renderComparisons(comparisons));
  }, 300_000);

  it.each(VENDOR_SDKS.map(({ name }) => name))('sends the same as %s', (name) => {
    const own = comparisons.find(({ sdk }) => sdk.name === name);

    expect(own?.compared).toBeGreaterThan(30);
    expect(
      own?.failures.map(({ conversation, dialect, difference }) => `${conversation} (${dialect}) | ${describeDifference(difference)}`),
    ).toEqual([]);
  });

  it('lists no known difference that does not occur any more', () => {
    const explained = new Set(comparisons.flatMap((comparison) => comparison.explained.map(({ by }) => by.name)));
    const normalised = new Set(comparisons.flatMap((comparison) => [...comparison.normalised]));

    expect([...explained].sort()).toEqual(KNOWN_DIFFERENCES.map(({ name }) => name).sort());
    expect([...normalised].sort()).toEqual(NORMALISATIONS.map(({ name }) => name).sort());
  });

  it('is what docs/fidelity.md shows', () => {
    expect(readPart('vendor SDKs')).toBe(renderComparisons(comparisons));
  });

  it('finds a member that is missing, one too many and one that says something else', () => {
    expect(listDifferences({ a: 1, list: [{ b: 1 }, { c: 2 }] }, { list: [{ b: 2 }], d: 3 })).toEqual([
      { path: 'a', sdk: 1, ours: ABSENT },
      { path: 'list[].b', sdk: 1, ours: 2 },
      { path: 'list[]', sdk: { c: 2 }, ours: ABSENT },
      { path: 'd', sdk: ABSENT, ours: 3 },
    ]);
  });
});
