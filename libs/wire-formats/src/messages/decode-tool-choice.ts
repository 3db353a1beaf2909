import type { ToolChoice } from '@weir/canonical';
import { dropAbsent } from '../fields/drop-absent';
import { findBoolean, isObject, readName, refuseField } from '../fields/field-readers';

type MessagesToolChoice = { readonly choice: ToolChoice; readonly hasParallelTools?: boolean };

const WORDS: ReadonlyMap<unknown, ToolChoice> = new Map<string, ToolChoice>([
  ['auto', { kind: 'auto' }],
  ['any', { kind: 'required' }],
  ['none', { kind: 'none' }],
]);

/** A word, or the SDKs' object around the same words. */
export function decodeMessagesToolChoice(value: unknown): MessagesToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  const word = WORDS.get(value);
  if (word !== undefined) return { choice: word };
  if (!isObject(value)) return refuseField('tool_choice', 'must be "auto", "any", "none" or an object with a type');
  const isSerial = findBoolean(value, 'disable_parallel_tool_use', 'tool_choice');
  const hasParallelTools = isSerial === undefined ? undefined : !isSerial;
  if (value['type'] === 'tool') {
    return { choice: { kind: 'tool', name: readName(value['name'], 'tool_choice.name') }, ...dropAbsent({ hasParallelTools }) };
  }
  const choice = WORDS.get(value['type']) ?? refuseField('tool_choice.type', 'must be "auto", "any", "tool" or "none"');
  return { choice, ...dropAbsent({ hasParallelTools }) };
}
