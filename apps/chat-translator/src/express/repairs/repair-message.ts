import { readWords } from '@weir/providers';
import type { Json, RepairRules } from './repair-rules';

/** Members of a message or delta that have a value or are left out. Some hold an empty list where there is nothing. */
const NEVER_EMPTY = ['tool_calls', 'function_call', 'reasoning_content', 'reasoning', 'reasoning_details', 'annotations', 'audio'] as const;

/** Puts the members right that messages and deltas have in common. */
export function repairWords(message: Json, { has }: RepairRules): void {
  if (has('content-parts') && Array.isArray(message['content'])) joinParts(message);
  if (has('reasoning-name') && typeof message['reasoning'] === 'string') {
    message['reasoning_content'] ??= message['reasoning'];
    delete message['reasoning'];
  }
  if (has('members-left-out')) for (const name of NEVER_EMPTY) if (isEmpty(message[name])) delete message[name];
}

/** Text and thinking, each in its own member. */
function joinParts(message: Json): void {
  const { text, reasoning } = readWords(message);
  message['content'] = text;
  if (reasoning === '') return;
  message['reasoning_content'] = reasoning;
  delete message['reasoning'];
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
