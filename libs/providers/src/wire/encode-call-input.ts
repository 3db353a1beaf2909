import type { ToolCallBlock } from '@weir/canonical';
import { asRecord, parseExact, type JsonRecord } from './json-value';

/**
 * What a call hands to its tool, for providers that want an object: free text stands under `input`, and arguments that are
 * no JSON object are kept under a name rather than refused.
 */
export function encodeCallInput({ kind, argumentsText }: ToolCallBlock): JsonRecord {
  if (kind === 'custom') return { input: argumentsText };
  return argumentsText.trim() === '' ? {} : (parseObject(argumentsText) ?? { _raw: argumentsText });
}

/** An escape; of those that are halves of surrogate pairs, `pair` is a whole one. */
const ESCAPE = /\\(?:(?<pair>u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2})|(?<half>u[dD][89a-fA-F][\dA-Fa-f]{2})|[^])/g;

/**
 * The object that a text of the caller's holds, for providers that are sent objects. Half of a surrogate pair in it was no character of
 * the request, and would become one of ours.
 */
export function parseObject(text: string): JsonRecord | undefined {
  const mended = text.includes('\\u') ? text.replace(ESCAPE, (escape, pair, half) => (half === undefined ? escape : '\\ufffd')) : text;
  return asRecord(parseExact(mended));
}
