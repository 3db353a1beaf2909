import { encodeStateTag } from '@weir/wire-formats';

/** A request of one dialect, but for the model. */
export type DialectRequest = { readonly name: string; readonly body: Record<string, unknown> };

export const HI = { role: 'user', content: 'Hi' };
export const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
export const GRAMMAR = { syntax: 'regex', definition: '[0-9]+' };
/** Families whose providers hand out state: each gets its own back, and none another's. */
export const FAMILIES = ['anthropic', 'google', 'openai', 'bedrock', 'vertex', 'openrouter'] as const;

/** State of a family as callers of another dialect carry it. */
export function tag(family: string, kind: 'signature' | 'encrypted' | 'redacted', native: string): string {
  return encodeStateTag({ state: { family, kind, value: 'c2ln' } }, native);
}
