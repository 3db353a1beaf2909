import { createOriginalBody, editBody, promptTokens, readMember, replaceMember, withoutAside, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import type { PricedUsage } from '@weir/wire-formats';

type UsageToFinish = {
  readonly dialect: ChatDialect;
  /** The provider's usage object as its reader knows it: merged where several events report parts of it. */
  readonly reported: unknown;
  readonly priced: PricedUsage;
};

/** One count of a dialect: a member of the usage object, or of an object in it. */
type Count = {
  readonly outer: string;
  readonly inner?: string;
  readonly of: (usage: Usage) => number;
  /** It is corrected only where the provider reported it. */
  readonly isPart?: true;
};

/** What has to be written, as JSON text: by member, and by member of a member. */
type Corrections = { readonly members: Map<string, string>; readonly nested: Map<string, Map<string, string>> };

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Writes our cost into a provider's own usage object, which stands in `text` at `path`, in place of a cost the provider
 * put there. Counts that differ from what is charged (reasoning beside the completion) are corrected; all others stay as they
 * came, those of a message beside which the provider made summaries too: clients count their context by them.
 */
export function finishUsage(text: string, path: readonly string[], { dialect, reported, priced }: UsageToFinish): string {
  const known = isRecord(reported) ? reported : {};
  // What was made beside the message stands in the provider's own list of it, and is in the cost.
  const corrections = findCorrections(dialect, known, withoutAside(priced.usage));
  const isOnlyCost = corrections === undefined && priced.usage.source !== 'estimate' && !Object.hasOwn(known, 'cost');
  return editNested(text, path, (usage) => (isOnlyCost ? appendCost(usage, priced) : correctUsage(usage, corrections, priced)));
}

/** Undefined where nothing has to be corrected, as is most often the case. */
function findCorrections(dialect: ChatDialect, known: Record<string, unknown>, usage: Usage): Corrections | undefined {
  let corrections: Corrections | undefined;
  for (const count of COUNTS[dialect]) {
    const value = count.of(usage);
    if (isRight(count, value, known)) continue;
    corrections ??= { members: new Map(), nested: new Map() };
    correct(count, value, known, corrections);
  }
  return corrections;
}

const NO_MEMBERS = /^\{\s*\}$/;

function appendCost(text: string, { costUsd }: PricedUsage): string {
  return text.endsWith('}') ? `${text.slice(0, -1)}${NO_MEMBERS.test(text) ? '' : ','}"cost":${costUsd}}` : text;
}

function correctUsage(text: string, corrections: Corrections | undefined, { usage: { source }, costUsd }: PricedUsage): string {
  const usage = createOriginalBody(text);
  if (usage === undefined) return text;
  const set = new Map(corrections?.members);
  for (const [outer, members] of corrections?.nested ?? []) {
    const parent = createOriginalBody(readMember(usage, outer) ?? '');
    if (parent !== undefined) set.set(outer, editBody(parent, { set: members, remove: NOTHING }));
  }
  set.set('cost', costUsd);
  if (source === 'estimate') set.set('estimated', 'true');
  return editBody(usage, { set, remove: NOTHING });
}

/** Changes the object at a path; the text stays as it is where the path leads to none. */
function editNested(text: string, [name, ...rest]: readonly string[], change: (text: string) => string): string {
  if (name === undefined) return change(text);
  const body = createOriginalBody(text);
  const inner = body === undefined ? undefined : readMember(body, name);
  return body === undefined || inner === undefined ? text : replaceMember(body, name, editNested(inner, rest, change));
}

/** Of a total that was left out, and of a part that was not reported, nothing is wrong. */
function isRight({ outer, inner, isPart }: Count, value: number, known: Record<string, unknown>): boolean {
  const parent = known[outer];
  if (parent === undefined && outer === 'total_tokens') return true;
  if (inner === undefined) return isPart === true || isSame(parent, value);
  if (!isRecord(parent)) return isPart === true || isSame(0, value);
  return (isPart === true && (parent[inner] ?? null) === null) || isSame(parent[inner], value);
}

function correct({ outer, inner }: Count, value: number, known: Record<string, unknown>, { members, nested }: Corrections): void {
  if (inner === undefined) return void members.set(outer, String(value));
  if (!isRecord(known[outer])) return void members.set(outer, JSON.stringify({ [inner]: value }));
  const siblings = nested.get(outer);
  if (siblings === undefined) nested.set(outer, new Map([[inner, String(value)]]));
  else siblings.set(inner, String(value));
}

/** A count that was left out means 0. */
function isSame(reported: unknown, value: number): boolean {
  return (reported ?? 0) === value;
}

const writes = (usage: Usage): number => usage.cacheWrite5m + usage.cacheWrite1h;

/** The members of each dialect for the kinds of tokens. */
const COUNTS: Readonly<Record<ChatDialect, readonly Count[]>> = {
  'chat-completions': [
    { outer: 'prompt_tokens', of: promptTokens },
    { outer: 'completion_tokens', of: ({ output }) => output },
    { outer: 'total_tokens', of: (usage) => promptTokens(usage) + usage.output },
    { outer: 'prompt_tokens_details', inner: 'cached_tokens', of: ({ cacheRead }) => cacheRead },
    { outer: 'prompt_tokens_details', inner: 'caching_tokens', of: writes },
    { outer: 'completion_tokens_details', inner: 'reasoning_tokens', of: ({ reasoning }) => reasoning },
    { outer: 'prompt_tokens_details', inner: 'audio_tokens', of: ({ audioInput }) => audioInput, isPart: true },
    { outer: 'prompt_tokens_details', inner: 'cache_write_tokens', of: writes, isPart: true },
    { outer: 'completion_tokens_details', inner: 'audio_tokens', of: ({ audioOutput }) => audioOutput, isPart: true },
  ],
  responses: [
    { outer: 'input_tokens', of: promptTokens },
    { outer: 'output_tokens', of: ({ output }) => output },
    { outer: 'total_tokens', of: (usage) => promptTokens(usage) + usage.output },
    { outer: 'input_tokens_details', inner: 'cached_tokens', of: ({ cacheRead }) => cacheRead },
    { outer: 'output_tokens_details', inner: 'reasoning_tokens', of: ({ reasoning }) => reasoning },
    { outer: 'input_tokens_details', inner: 'cache_write_tokens', of: writes, isPart: true },
  ],
  messages: [
    { outer: 'input_tokens', of: ({ inputUncached }) => inputUncached },
    { outer: 'cache_read_input_tokens', of: ({ cacheRead }) => cacheRead },
    { outer: 'cache_creation_input_tokens', of: writes },
    { outer: 'output_tokens', of: ({ output }) => output },
    { outer: 'cache_creation', inner: 'ephemeral_5m_input_tokens', of: ({ cacheWrite5m }) => cacheWrite5m, isPart: true },
    { outer: 'cache_creation', inner: 'ephemeral_1h_input_tokens', of: ({ cacheWrite1h }) => cacheWrite1h, isPart: true },
    { outer: 'server_tool_use', inner: 'web_search_requests', of: ({ searches }) => searches, isPart: true },
    { outer: 'output_tokens_details', inner: 'thinking_tokens', of: ({ reasoning }) => reasoning, isPart: true },
  ],
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
