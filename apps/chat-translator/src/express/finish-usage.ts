import { createOriginalBody, editBody, promptTokens, readMember, type OriginalBody, type Usage } from '@weir/canonical';
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
 * put there. Counts that differ from what is charged (reasoning beside the completion, summaries beside the answer) are
 * corrected; all others stay as they came.
 */
export function finishUsage(text: string, path: readonly string[], { dialect, reported, priced }: UsageToFinish): string {
  const known = isRecord(reported) ? reported : {};
  const corrections: Corrections = { members: new Map(), nested: new Map() };
  for (const count of COUNTS[dialect]) correct(count, count.of(priced.usage), known, corrections);
  return editNested(text, path, (usage) => {
    const set = new Map(corrections.members);
    for (const [outer, members] of corrections.nested) {
      const value = readMember(usage, outer);
      if (value !== undefined)
        set.set(
          outer,
          editNested(value, [], (parent) => editBody(parent, { set: members, remove: NOTHING })),
        );
    }
    set.set('cost', priced.costUsd);
    if (priced.usage.source === 'estimate') set.set('estimated', 'true');
    return editBody(usage, { set, remove: NOTHING });
  });
}

/** Changes the object at a path; the text stays as it is where the path leads to none. */
function editNested(text: string, [name, ...rest]: readonly string[], change: (object: OriginalBody) => string): string {
  const body = createOriginalBody(text);
  if (body === undefined) return text;
  if (name === undefined) return change(body);
  const inner = readMember(body, name);
  return inner === undefined ? text : editBody(body, { set: new Map([[name, editNested(inner, rest, change)]]), remove: NOTHING });
}

function correct(count: Count, value: number, known: Record<string, unknown>, corrections: Corrections): void {
  const { outer, inner } = count;
  const parent = known[outer];
  // A total that was left out needs no correction.
  if (parent === undefined && outer === 'total_tokens') return;
  if (inner !== undefined && isRecord(parent)) return correctInner(count, value, parent, corrections);
  if (count.isPart === true || isSame(inner === undefined ? parent : 0, value)) return;
  corrections.members.set(outer, inner === undefined ? String(value) : JSON.stringify({ [inner]: value }));
}

function correctInner({ outer, inner = '', isPart }: Count, value: number, parent: Record<string, unknown>, { nested }: Corrections): void {
  if ((isPart === true && (parent[inner] ?? null) === null) || isSame(parent[inner], value)) return;
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
