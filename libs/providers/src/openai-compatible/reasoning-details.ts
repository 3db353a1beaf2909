import { stringifyExactJson, type OpaqueState } from '@weir/canonical';
import { asArray, asRecord, asText, parseExact, type JsonRecord } from '../wire/json-value';

/** The reasoning of other providers, in the form that callers of chat completions get. */
const CHAT_FAMILY = 'chat-completions';

/** The entries of `reasoning_details` that belong to one piece of reasoning, put together from whole or streamed ones. */
type DetailLog = {
  add(details: unknown): void;
  hasState(): boolean;
  /** The state to carry, once; undefined when the entries hold nothing but words. */
  take(): OpaqueState | undefined;
};

const JOINED: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

export function createDetailLog(family: string): DetailLog {
  let entries: JsonRecord[] = [];
  const hasState = (): boolean => entries.some((entry) => (asText(entry['signature']) ?? asText(entry['data'])) !== undefined);
  return {
    hasState,
    add(details) {
      for (const detail of asArray(details)) {
        const reported = asRecord(detail);
        if (reported !== undefined) addEntry(entries, reported);
      }
    },
    take() {
      const state: OpaqueState | undefined = !hasState() ? undefined : { family, kind: 'signature', value: stringifyExactJson(entries) };
      entries = [];
      return state;
    },
  };
}

/** Fragments of one entry have its kind and place; their words follow each other, and the last value of the rest counts. */
function addEntry(entries: JsonRecord[], reported: JsonRecord): void {
  const last = entries.at(-1);
  if (
    last === undefined ||
    last['type'] !== reported['type'] ||
    last['index'] !== reported['index'] ||
    isOther(last['id'], reported['id'])
  ) {
    entries.push({ ...reported });
    return;
  }
  for (const [name, value] of Object.entries(reported)) {
    if (JOINED.has(name) && typeof value === 'string') last[name] = `${asText(last[name]) ?? ''}${value}`;
    else if (value !== null) last[name] = value;
  }
}

function isOther(one: unknown, other: unknown): boolean {
  return asText(one) !== undefined && asText(other) !== undefined && one !== other;
}

/** State as the entries it was made of; undefined for the state of another family. */
export function readDetails({ family, kind, value }: OpaqueState, text: string, ownFamily: string): readonly unknown[] | undefined {
  if (family === ownFamily) {
    const entries = parseExact(value);
    return Array.isArray(entries) ? (entries as unknown[]) : undefined;
  }
  if (family !== CHAT_FAMILY) return undefined;
  return kind === 'encrypted' ? [{ type: 'reasoning.encrypted', data: value }] : [{ type: 'reasoning.text', text, signature: value }];
}
