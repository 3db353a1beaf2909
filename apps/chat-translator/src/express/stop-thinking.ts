import { createOriginalBody, readMember } from '@weir/canonical';
import type { ToldBody } from './clean-history';
import { editElements, editObject, listRecords, type Json } from './edit-elements';

const DISABLED = '{"type":"disabled"}';
/** Edits of the history that the vendor refuses of a request that does not think. */
const OF_THINKING = 'clear_thinking';

/**
 * In the middle of a tool loop a model with a budget refuses to think on where the turn has lost the thinking it began
 * with. Answers what members of the body become then; none where it may think on.
 */
export function stopThinking({ body, json }: ToldBody, messages: string): Readonly<Record<string, string | undefined>> {
  if ((json['thinking'] as Json | null | undefined)?.['type'] !== 'enabled' || !lacksThinking(messages)) return {};
  return { thinking: DISABLED, ...withoutEditsOfThinking(readMember(body, 'context_management') ?? '') };
}

/** A turn begins with what its user said, and goes on as long as only results of tools follow. */
function lacksThinking(messages: string): boolean {
  const told = listRecords(JSON.parse(messages));
  if (!holdsResult(told.at(-1))) return false;
  const asked = told.findLastIndex((message) => message['role'] === 'user' && !holdsResult(message));
  const first = told.slice(asked + 1).find(({ role }) => role === 'assistant');
  return !listRecords(first?.['content']).some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}

function holdsResult(message: Json | undefined): boolean {
  return listRecords(message?.['content']).some(({ type }) => type === 'tool_result');
}

function withoutEditsOfThinking(management: string): Readonly<Record<string, string | undefined>> {
  const told = createOriginalBody(management);
  const edits = editElements((told && readMember(told, 'edits')) ?? '', ({ type }) =>
    String(type).startsWith(OF_THINKING) ? 'leave-out' : 'keep',
  );
  if (edits?.isChanged !== true) return {};
  return { context_management: edits.isEmpty ? undefined : editObject(management, { edits: edits.text }) };
}
