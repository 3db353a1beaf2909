import type { Reply, ToolCall, Usage } from './conversation';
import { asArray, asRecord, asText, type JsonRecord } from './json';

/** The reply with one event of its stream added. */
export function applyChunk(reply: Reply, chunk: JsonRecord): Reply {
  const choice = asRecord(asArray(chunk['choices'])[0]);
  const usage = readUsage(chunk['usage']);
  const counted = usage === undefined ? reply : { ...reply, usage };
  return choice === undefined ? counted : applyChoice(counted, choice);
}

function applyChoice(reply: Reply, choice: JsonRecord): Reply {
  const delta = asRecord(choice['delta']) ?? {};
  const finish = asText(choice['finish_reason']);
  return {
    ...reply,
    text: reply.text + (asText(delta['content']) ?? ''),
    reasoning: reply.reasoning + (asText(delta['reasoning_content']) ?? ''),
    refusal: reply.refusal + (asText(delta['refusal']) ?? ''),
    details: asArray(delta['reasoning_details']).reduce(addDetail, reply.details),
    calls: asArray(delta['tool_calls']).reduce(addCall, reply.calls),
    ...(finish === undefined ? {} : { finish }),
  };
}

function addCall(calls: readonly ToolCall[], value: unknown): readonly ToolCall[] {
  const delta = asRecord(value) ?? {};
  const custom = asRecord(delta['custom']);
  const called = custom ?? asRecord(delta['function']) ?? {};
  const index = typeof delta['index'] === 'number' ? delta['index'] : calls.length;
  const old = calls[index] ?? { id: '', name: '', text: '', isCustom: custom !== undefined };
  const call: ToolCall = {
    ...old,
    id: old.id === '' ? (asText(delta['id']) ?? '') : old.id,
    name: old.name + (asText(called['name']) ?? ''),
    text: old.text + (asText(called['arguments']) ?? asText(called['input']) ?? ''),
  };
  return index < calls.length ? calls.with(index, call) : [...calls, call];
}

const JOINED = new Set(['text', 'summary', 'data']);

/** Fragments of one entry have its kind and its place; their words follow each other, and the last value of the rest counts. */
function addDetail(details: readonly JsonRecord[], value: unknown): readonly JsonRecord[] {
  const added = asRecord(value);
  if (added === undefined) return details;
  const last = details.at(-1);
  if (last === undefined || last['type'] !== added['type'] || last['index'] !== added['index'] || isOther(last['id'], added['id']))
    return [...details, added];
  const joined: Record<string, unknown> = { ...last };
  for (const [name, part] of Object.entries(added)) {
    if (JOINED.has(name) && typeof part === 'string') joined[name] = `${asText(joined[name]) ?? ''}${part}`;
    else if (part !== null) joined[name] = part;
  }
  return details.with(-1, joined);
}

function isOther(one: unknown, other: unknown): boolean {
  return asText(one) !== undefined && asText(other) !== undefined && one !== other;
}

function readUsage(value: unknown): Usage | undefined {
  const usage = asRecord(value);
  if (usage === undefined) return undefined;
  return {
    input: count(usage['prompt_tokens']),
    output: count(usage['completion_tokens']),
    cached: count(asRecord(usage['prompt_tokens_details'])?.['cached_tokens']),
    reasoning: count(asRecord(usage['completion_tokens_details'])?.['reasoning_tokens']),
    cost: typeof usage['cost'] === 'number' ? usage['cost'] : undefined,
    isEstimated: usage['estimated'] === true,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
