import type { ToolCallBlock } from '@weir/canonical';
import { asRecord, parseExact, type JsonRecord } from './json-value';

/**
 * What a call hands to its tool, for providers that want an object: free text stands under `input`, and arguments that are
 * no JSON object are kept under a name rather than refused.
 */
export function encodeCallInput({ kind, argumentsText }: ToolCallBlock): JsonRecord {
  if (kind === 'custom') return { input: argumentsText };
  return argumentsText.trim() === '' ? {} : (asRecord(parseExact(argumentsText)) ?? { _raw: argumentsText });
}
