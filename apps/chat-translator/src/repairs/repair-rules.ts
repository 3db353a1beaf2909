import { asNumber, asRecord, parseExactJson } from '@weir/canonical';
import type { ChatDeviation } from '@weir/providers';
import { randomUUID } from 'node:crypto';

export type Json = Record<string, unknown>;

/** Which deviations are repaired in the replies of one provider, and what to write for members it left out. */
export type RepairRules = {
  readonly has: (deviation: ChatDeviation) => boolean;
  /** The model that was asked for. */
  readonly model: string;
  readonly nowMs: () => number;
};

export function createRepairRules(deviations: readonly ChatDeviation[], model: string): RepairRules {
  const all: ReadonlySet<ChatDeviation> = new Set(deviations);
  return { has: (deviation) => all.has(deviation), model, nowMs: Date.now };
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a text, with every digit of its numbers: to be written again by `stringifyExactJson`. Undefined for anything else. */
export function parseRepaired(text: string): Json | undefined {
  try {
    return asRecord(parseExactJson(text));
  } catch {
    return undefined; // not ours to judge: it passes as it came
  }
}

/** The members that every reply and every chunk begins with. */
export type Head = { readonly id: string; readonly object: string; readonly created: number; readonly model: string };

/** The head of a reply, with what its provider left out. */
export function readHead(reply: Json, object: string, { model, nowMs }: RepairRules): Head {
  const { id, created, model: reported } = reply;
  const seconds = asNumber(created) ?? 0;
  return {
    id: typeof id === 'string' && id !== '' ? id : `chatcmpl-${randomUUID()}`,
    object,
    created: Math.floor(seconds > 0 ? seconds : nowMs() / 1000),
    model: typeof reported === 'string' && reported !== '' ? reported : model,
  };
}
