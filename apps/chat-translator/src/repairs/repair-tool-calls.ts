import { stringifyExactJson } from '@weir/canonical';
import { readCalled } from '@weir/providers';
import { randomUUID } from 'node:crypto';
import { isRecord, type Json } from './repair-rules';

/** The tool calls of one choice that have arrived in its stream so far. */
export type SeenCalls = {
  readonly calls: SeenCall[];
};

type SeenCall = {
  readonly index: number;
  readonly reportedIndex: unknown;
  readonly reportedId: unknown;
  isNamed: boolean;
  /** A function whose arguments have not begun. */
  isEmpty: boolean;
};

/** The calls of a whole message. */
export function repairCalls(calls: readonly unknown[]): Json[] {
  return calls.filter(isRecord).map((call) => {
    const { index: _index, function: _function, custom: _custom, ...rest } = call;
    const { isCustom, called } = readCalled(call);
    return { ...rest, ...beginCall(call, isCustom ? called : { ...called, arguments: textOf(called['arguments']) || NO_ARGUMENTS }) };
  });
}

/** Fragments of calls: each call starts with id, type and name under the next index, and further pieces repeat none of them. */
export function repairFragments(fragments: readonly unknown[], seen: SeenCalls): Json[] {
  return fragments.filter(isRecord).map((fragment) => {
    const { isCustom, called } = readCalled(fragment);
    const isNamed = isText(called['name']);
    const isEmpty = !isCustom && textOf(called['arguments']) === '';
    const known = findCall(fragment, isNamed, seen);
    if (known === undefined) {
      const index = seen.calls.length;
      seen.calls.push({ index, reportedIndex: fragment['index'], reportedId: fragment['id'], isNamed, isEmpty });
      return { index, ...beginCall(fragment, called) };
    }
    const late = isNamed && !known.isNamed ? { name: called['name'] } : {};
    known.isNamed ||= isNamed;
    known.isEmpty &&= isEmpty;
    return isCustom
      ? { index: known.index, custom: { ...late, input: textOf(called['input']) } }
      : { index: known.index, function: { ...late, arguments: textOf(called['arguments']) } };
  });
}

/** The last fragments of calls without arguments: no text at all is no JSON. */
export function completeCalls({ calls }: SeenCalls): Json[] {
  return calls.flatMap((call) => {
    if (!call.isEmpty) return [];
    call.isEmpty = false;
    return [{ index: call.index, function: { arguments: NO_ARGUMENTS } }];
  });
}

const NO_ARGUMENTS = '{}';

/** The call that a fragment continues; undefined where it begins one. Some providers give all calls the index 0, or the pieces of one two. */
function findCall({ index, id }: Json, isNamed: boolean, { calls }: SeenCalls): SeenCall | undefined {
  const hasId = isText(id);
  if (hasId) {
    const same = calls.findLast(({ reportedId }) => reportedId === id);
    if (same !== undefined) return same;
    if (isNamed) return undefined;
  }
  const atIndex = typeof index === 'number' ? calls.findLast(({ reportedIndex }) => reportedIndex === index) : undefined;
  if (atIndex !== undefined || isNamed) return atIndex;
  return typeof index === 'number' && hasId ? undefined : calls.at(-1);
}

function beginCall(call: Json, called: Json): Json {
  const { id } = call;
  const { isCustom } = readCalled(call);
  const name = isText(called['name']) ? called['name'] : '';
  return {
    id: isText(id) ? id : `call_${randomUUID().replaceAll('-', '')}`,
    ...(isCustom
      ? { type: 'custom', custom: { ...called, name, input: textOf(called['input']) } }
      : { type: 'function', function: { ...called, name, arguments: textOf(called['arguments']) } }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Some servers send arguments as an object, or none. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : stringifyExactJson(value);
}
