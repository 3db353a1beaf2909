import type { ChatDialect } from '@weir/contracts';
import { describeWithFixtures, hasFixtures } from '@weir/testing';
import { listChatCaptures } from '../captured/list-chat-captures';
import { createReplayCatalog } from './choose-model';
import { renderMatrix } from './fidelity-matrix';
import { readPart, updatePart } from '../page/fidelity-page';
import { KNOWN_DIFFERENCES } from './known-differences';
import { replayCapture, type ReplayResult } from './replay-capture';
import { openReplayHarness } from './replay-harness';

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
