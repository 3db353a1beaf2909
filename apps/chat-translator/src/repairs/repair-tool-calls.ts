import { stringifyExactJson } from '@weir/canonical';
import { randomUUID } from 'node:crypto';
import { isRecord, type Json } from './repair-rules';

/** The tool calls of one choice that have arrived in its stream so far. */
export type SeenCalls = {
  readonly calls: SeenCall[];
};

type SeenCall = { readonly index: number; readonly reportedIndex: unknown; readonly reportedId: unknown };

/** The calls of a whole message. */
export function repairCalls(calls: readonly unknown[]): Json[] {
  return calls.filter(isRecord).map((call) => {
    const { index: _index, ...rest } = call;
    return { ...rest, ...beginCall(call) };
  });
}

/** Fragments of calls: each call starts with id, type and name under the next index, and further pieces repeat none of them. */
export function repairFragments(fragments: readonly unknown[], seen: SeenCalls): Json[] {
  return fragments.filter(isRecord).map((fragment) => {
    const known = findCall(fragment, seen);
    if (known !== undefined) return continueCall(fragment, known.index);
    const index = seen.calls.length;
    seen.calls.push({ index, reportedIndex: fragment['index'], reportedId: fragment['id'] });
    return { index, ...beginCall(fragment) };
  });
}

/** The call that a fragment continues; undefined where it begins one. Some providers give all calls the index 0. */
function findCall(fragment: Json, { calls }: SeenCalls): SeenCall | undefined {
  const { index, id } = fragment;
  const hasId = typeof id === 'string' && id !== '';
  const isNamed = typeof bodyOf(fragment)['name'] === 'string' && bodyOf(fragment)['name'] !== '';
  if (hasId) {
    const same = calls.findLast(({ reportedId }) => reportedId === id);
    if (same !== undefined) return same;
    if (isNamed) return undefined;
  }
  if (typeof index === 'number') return calls.findLast(({ reportedIndex }) => reportedIndex === index);
  return isNamed ? undefined : calls.at(-1);
}

function beginCall(call: Json): Json {
  const { id, type } = call;
  const isCustom = type === 'custom' || isRecord(call['custom']);
  const body = bodyOf(call);
  const name = typeof body['name'] === 'string' ? body['name'] : '';
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID().replaceAll('-', '')}`,
    ...(isCustom
      ? { type: 'custom', custom: { ...body, name, input: textOf(body['input']) } }
      : { type: 'function', function: { ...body, name, arguments: textOf(body['arguments']) } }),
  };
}

function continueCall(fragment: Json, index: number): Json {
  const body = bodyOf(fragment);
  return isRecord(fragment['custom'])
    ? { index, custom: { input: textOf(body['input']) } }
    : { index, function: { arguments: textOf(body['arguments']) } };
}

function bodyOf(call: Json): Json {
  const { custom, function: called } = call;
  return isRecord(custom) ? custom : isRecord(called) ? called : {};
}

/** Some servers send arguments as an object, or none. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : stringifyExactJson(value);
}
