import type { ChatDialect, PriceSheet, UsageEvent } from '@weir/contracts';
import { checkStreamGrammar } from '@weir/testing';
import { isDeepStrictEqual } from 'node:util';
import type { Feature } from './features';
import { priceByHand } from './price-units';
import { spellOutSse } from '../received/spell-out-sse';
import type { Received, SeenReply } from '../received/received';
import type { StopClass, PlainCall, PlainReply, PlainUsage } from '../reading/plain-reply';

/** One way in which the response to a caller differs from the provider's reply. */
export type Finding = {
  readonly feature: Feature;
  readonly problem: string;
  /** Only where the whole stream arrived in one chunk. */
  readonly isAtOnce?: boolean;
};

type Comparison = {
  readonly expected: PlainReply;
  readonly seen: SeenReply;
  readonly received: Received;
  /** The stream as it came, where the dialect's own vendor sent it; null for every other provider. */
  readonly vendorStream: string | null;
  /** Null for a reply that did not pass through the gateway: it has no cost. */
  readonly prices: PriceSheet | null;
  readonly events: readonly UsageEvent[];
};

/** Everything in which a reply differs from its capture. */
export function compareReplies(comparison: Comparison): Finding[] {
  const { expected, seen } = comparison;
  const findings: Finding[] = [];
  const report = (feature: Feature, problem: string): void => void findings.push({ feature, problem });
  if (comparison.prices !== null && comparison.events.length !== 1)
    report('shape', `${comparison.events.length} usage events were journalled for one call`);
  // What fails before any content is reported by its status, which clients try again by.
  const isRefused =
    seen.ending === 'refused' && (expected.ending === 'unreadable' || (expected.ending === 'failed' && !hasContent(expected)));
  if (seen.ending !== expected.ending && !isRefused) {
    report(expected.ending === 'whole' ? 'shape' : 'error', `it ended ${seen.ending}, the capture ${expected.ending}`);
    return findings;
  }
  for (const problem of listGrammarProblems(comparison)) report('shape', `grammar: ${problem}`);
  if (expected.ending === 'whole') compareWhole(comparison, report);
  else compareFailure(comparison, report);
  return findings;
}

/**
 * For every provider a dialect is judged by its published types. What the dialect's own vendor sends is right, also where
 * it is newer than the grammar that is known here.
 */
function listGrammarProblems({ received, vendorStream }: Comparison): string[] {
  if (!received.isStream || received.status !== 200) return [];
  const problems = unique(checkStreamGrammar(received.dialect, spellOutSse(received.body)));
  if (vendorStream === null) return problems;
  const own = new Set(checkStreamGrammar(received.dialect, spellOutSse(vendorStream)).map(withoutNumbers));
  return problems.filter((problem) => problem === NULL_USAGE || !own.has(withoutNumbers(problem)));
}

/** Left out also where the vendor sends it. */
const NULL_USAGE = 'a usage of null';

/** An event more or less changes every number after it. */
function withoutNumbers(problem: string): string {
  return problem.replace(/\d+/g, 'n');
}

function unique(problems: readonly string[]): string[] {
  return [...new Set(problems)];
}

/** The messages dialect has the words of a refusal as text, and marks it as one by the stop reason. */
function textIn(dialect: ChatDialect, { text, refusal }: PlainReply): string {
  return dialect === 'messages' ? text + refusal : text;
}

type Report = (feature: Feature, problem: string) => void;

function compareWhole({ expected, seen, received, prices, events }: Comparison, report: Report): void {
  const { dialect } = received;
  const stop = stopIn(dialect, expected);
  if (!stop.includes(seen.stop))
    report(featureOfStop(expected), `it stopped for ${String(seen.stop)}, the capture for ${stop.join(' or ')}`);
  compareWords(seen, { ...expected, text: textIn(dialect, expected), refusal: dialect === 'messages' ? '' : expected.refusal }, report);
  compareCalls(seen.calls, expected.calls, report);
  compareCitations({ expected, seen, received }, report);
  compareUsage(seen, expected.usage, report);
  const event = events[0];
  if (event !== undefined && prices !== null) compareCost(seen, event, prices, report);
}

function compareWords(seen: PlainReply, expected: PlainReply, report: Report): void {
  if (seen.text !== expected.text) report('text', describeDifference(seen.text, expected.text));
  const [thought, toThink] = [squeeze(seen.reasoning), squeeze(expected.reasoning)];
  if (thought !== toThink) report('reasoning', describeDifference(thought, toThink));
  if (expected.refusal !== '' && seen.refusal !== expected.refusal) report('refusal', describeDifference(seen.refusal, expected.refusal));
}

function compareCitations({ expected, seen, received }: Pick<Comparison, 'expected' | 'seen' | 'received'>, report: Report): void {
  const missing = expected.citations.filter((address) => !seen.citations.includes(address));
  if (missing.length > 0)
    report('citations', `${missing.length} of ${expected.citations.length} cited pages are missing: ${missing[0] ?? ''}`);
  if (!expected.hasOtherCitations || seen.hasOtherCitations) return;
  report(
    'citations',
    isReported(received) ? 'citations without an address are missing, as the reply reports' : 'citations without an address are missing',
  );
}

/** A loss is reported in a header, or in a comment of a stream whose headers were sent already. */
function isReported({ headers, body }: Received): boolean {
  return headers['x-weir-dropped']?.includes('reply.citations') === true || /^: x-weir-dropped: .*reply\.citations/m.test(body);
}

function hasContent({ text, reasoning, refusal, calls }: PlainReply): boolean {
  return text !== '' || reasoning !== '' || refusal !== '' || calls.length > 0;
}

function compareFailure({ expected, seen, received }: Comparison, report: Report): void {
  if (seen.ending === 'failed') {
    if (seen.text !== expected.text) report('text', describeDifference(seen.text, expected.text));
    return;
  }
  const statuses = statusesFor(expected);
  if (!statuses.includes(seen.status)) report('error', `status ${seen.status}, expected ${statuses.join(' or ')}`);
  const body = JSON.parse(received.body) as { type?: unknown; error?: { type?: unknown; message?: unknown; origin?: unknown } };
  const isEnvelope = typeof body.error?.message === 'string' && body.error.message !== '' && body.error.origin === 'provider';
  const isMessages = received.dialect !== 'messages' || (body.type === 'error' && typeof body.error?.type === 'string');
  if (!isEnvelope || !isMessages) report('error', `the envelope is not the dialect’s: ${received.body.slice(0, 200)}`);
}

/** Our own account is the gateway's business, and a provider's breakdown is a bad gateway; the rest passes on. */
function statusesFor({ ending, status }: PlainReply): number[] {
  // The failure of a stream came with 200, and is refused as a failure of its provider.
  if (ending === 'failed') return [429, 500, 502, 503, 504, 529];
  if (status === 401 || status === 402 || status === 403) return [502];
  // Providers return 400 where a model is unknown or the gateway's own key is wrong: the gateway distinguishes those.
  if (status === 400) return [400, 404, 502];
  if ([404, 413, 422].includes(status)) return [status];
  if (status === 429) return [429, 502];
  return status >= 500 ? [502, 503, 504] : [400];
}

/** The words a dialect has for why the model stopped. */
function stopIn(dialect: ChatDialect, expected: PlainReply): (StopClass | null)[] {
  const { stop, refusal } = expected;
  if (dialect === 'responses') return stopInResponses(expected);
  if (dialect === 'chat-completions') return stop === 'pause' ? ['stop'] : [stop];
  return refusal !== '' && stop === 'stop' ? ['filter'] : [stop];
}

/** One word for every orderly end; what the output holds says the rest. */
function stopInResponses({ stop, calls }: PlainReply): (StopClass | null)[] {
  const isOrderly = stop === 'pause' || stop === 'stop' || stop === 'tools';
  return isOrderly ? [calls.length > 0 ? 'tools' : 'stop'] : [stop];
}

function featureOfStop({ stop }: PlainReply): Feature {
  return stop === 'length' ? 'length' : stop === 'filter' ? 'refusal' : 'shape';
}

function compareCalls(seen: readonly PlainCall[], expected: readonly PlainCall[], report: Report): void {
  const problems = seen.length === expected.length ? [] : [`${seen.length} calls instead of ${expected.length}`];
  expected.slice(0, seen.length).forEach((call, index) => {
    const got = seen[index];
    if (got?.name !== call.name) problems.push(`call ${index} is of ${String(got?.name)} instead of ${call.name}`);
    else if (!hasSameArguments(got, call)) {
      problems.push(`arguments of ${call.name}: ${got.argumentsText.slice(0, 150)} instead of ${call.argumentsText.slice(0, 150)}`);
    }
  });
  for (const problem of problems) {
    report('tools', problem);
    if (expected.length > 1) report('parallel tools', problem);
  }
}

/** Free-form input may stand in an object of its own where a dialect knows functions only. */
function hasSameArguments(seen: PlainCall, expected: PlainCall): boolean {
  if (expected.kind === 'custom') {
    return seen.argumentsText === expected.argumentsText || isDeepStrictEqual(parse(seen.argumentsText), { input: expected.argumentsText });
  }
  return isDeepStrictEqual(parse(seen.argumentsText), parse(expected.argumentsText));
}

/** No arguments, an empty object and null are the same call; text that is no JSON stands for itself. */
function parse(text: string): unknown {
  if (text === '' || text === 'null') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function compareUsage(seen: SeenReply, expected: PlainUsage | null, report: Report): void {
  if (seen.usage === null) return report('usage', 'no usage was reported');
  if (expected === null) return;
  for (const bucket of ['uncached', 'output', 'reasoning'] as const) {
    if (seen.usage[bucket] !== expected[bucket]) report('usage', `${bucket} is ${seen.usage[bucket]} instead of ${expected[bucket]}`);
  }
  const written = (usage: PlainUsage): number => usage.write5m + usage.write1h;
  if (seen.usage.read !== expected.read) report('cache usage', `read is ${seen.usage.read} instead of ${expected.read}`);
  if (written(seen.usage) !== written(expected)) report('cache usage', `written is ${written(seen.usage)} instead of ${written(expected)}`);
}

/** The caller, the journal and a calculation by hand agree on what the reply cost. */
function compareCost(seen: SeenReply, event: UsageEvent, prices: PriceSheet, report: Report): void {
  const expected = priceByHand(prices, event);
  if (BigInt(event.cost_p) !== expected) report('usage', `the journal says ${event.cost_p} pico-dollars, by hand it is ${expected}`);
  if (typeof seen.cost !== 'number') return report('usage', `cost is ${String(seen.cost)}`);
  if (Math.round(seen.cost * 1e12) !== Number(expected)) report('usage', `cost ${seen.cost} is not ${expected} pico-dollars`);
  const { units } = event;
  const { usage } = seen;
  if (usage === null) return;
  const journalled = [units.in, units.cached_in, units.cache_w5m + units.cache_w1h, units.out];
  const shown = [usage.uncached, usage.read, usage.write5m + usage.write1h, usage.output];
  if (!isDeepStrictEqual(journalled, shown))
    report('usage', `the journal has ${journalled.join('/')} tokens, the caller got ${shown.join('/')}`);
}

/** Paragraphs may be joined with other white space. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function describeDifference(seen: string, expected: string): string {
  const at = [...expected].findIndex((character, index) => seen[index] !== character);
  const from = Math.max(0, (at === -1 ? expected.length : at) - 30);
  return `${seen.length} characters instead of ${expected.length}: …${JSON.stringify(seen.slice(from, from + 80))} instead of …${JSON.stringify(expected.slice(from, from + 80))}`;
}
