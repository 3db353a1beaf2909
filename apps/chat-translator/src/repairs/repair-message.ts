import { readWords } from '@weir/providers';
import { isRecord, type Json, type RepairRules } from './repair-rules';

/** Members of a message or delta that must have a value or be left out. Some providers write an empty list instead. */
const NEVER_EMPTY = [
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'annotations',
  'images',
  'audio',
] as const;

/** Repairs the members that messages and deltas have in common. */
export function repairWords(message: Json, { has }: RepairRules): void {
  if (has('content-parts') && Array.isArray(message['content'])) joinParts(message);
  if (has('reasoning-name') && typeof message['reasoning'] === 'string') {
    message['reasoning_content'] ??= message['reasoning'];
    delete message['reasoning'];
  }
  if (!has('members-left-out')) return;
  for (const name of NEVER_EMPTY) if (isEmpty(message[name])) delete message[name];
}

/** Text and thinking, each in its own member. */
function joinParts(message: Json): void {
  const { text, reasoning } = readWords(message);
  message['content'] = text;
  if (reasoning === '') return;
  message['reasoning_content'] = reasoning;
  delete message['reasoning'];
}

/** Some servers fill in every member: a call without a name and audio without an id count as empty. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isRecord(value) && (value['name'] === '' || value['id'] === ''));
}
