import type { ChatDialect } from '@weir/contracts';
import { describeWithFixtures, hasFixtures } from '@weir/testing';
import { listChatCaptures } from './__fixtures__/captured/chat-captures';
import { createReplayCatalog } from './__fixtures__/choose-model';
import { renderMatrix } from './__fixtures__/fidelity-matrix';
import { readPart, updatePart } from './__fixtures__/fidelity-page';
import { KNOWN_DIFFERENCES } from './__fixtures__/known-differences';
import { replayCapture, type ReplayResult } from './__fixtures__/replay-capture';
import { openReplayHarness } from './__fixtures__/replay-harness';

const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];

describeWithFixtures('captured replies of every provider, in every dialect', () => {
  const results: ReplayResult[] = [];
  let page = '';
  // The names of the tests are wanted even where the suite is skipped.
  const { captures, leftOut } = hasFixtures() ? listChatCaptures() : { captures: [], leftOut: [] };
  const providers = hasFixtures() ? [...new Set(captures.map(({ provider }) => provider))].sort() : ['every provider'];

  beforeAll(async () => {
    const catalog = createReplayCatalog();
    const harness = await openReplayHarness(catalog);
    for (const chat of captures) {
      for (const dialect of DIALECTS) results.push(await replayCapture({ harness, catalog }, chat, dialect));
    }
    await harness.close();
    page = renderMatrix(results, leftOut);
    updatePart('replies', page);
  }, 300_000);

  afterAll(() => void process.stdout.write(`\n${page}\n`));

  it.each(providers)('%s: the response has the same content in every dialect', (provider) => {
    const own = results.filter(({ chat }) => chat.provider === provider);

    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap(describeFailures)).toEqual([]);
  });

  it('lists no known difference that does not occur any more', () => {
    const seen = new Set(results.flatMap(({ explained }) => explained.map(({ by }) => by.name)));
    expect([...seen].sort()).toEqual(KNOWN_DIFFERENCES.map(({ name }) => name).sort());
  });

  it('is what docs/fidelity.md shows', () => {
    expect(readPart('replies')).toBe(page);
  });
});

function describeFailures({ chat, dialect, lane, failures }: ReplayResult): string[] {
  return failures.map(
    ({ feature, problem, isAtOnce }) => `${chat.name} | ${dialect} (${lane}) | ${feature} | ${problem}${isAtOnce ? ' (in one chunk)' : ''}`,
  );
}
