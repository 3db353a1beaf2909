import { createOriginalBody, readMember } from '@weir/canonical';
import type { CallerBody } from './caller-body';
import { editElements, editObject, listRecords, type Json } from './edit-elements';

const DISABLED = '{"type":"disabled"}';
/** Edits of the history that the vendor refuses in a request without thinking. */
const OF_THINKING = 'clear_thinking';

/**
 * In the middle of a tool loop a model with a thinking budget refuses a turn that has lost the thinking it began with.
 * Returns the members of the body to change then; none where thinking may go on.
 */
export function stopThinking({ body, json }: CallerBody, messages: string): Readonly<Record<string, string | undefined>> {
  if ((json['thinking'] as Json | null | undefined)?.['type'] !== 'enabled' || !lacksThinking(messages)) return {};
  return { thinking: DISABLED, ...withoutEditsOfThinking(readMember(body, 'context_management') ?? '') };
}

/** A turn begins with the user's message and continues as long as only tool results follow. */
function lacksThinking(messages: string): boolean {
  const history = listRecords(JSON.parse(messages));
  if (!holdsResult(history.at(-1))) return false;
  const asked = history.findLastIndex((message) => message['role'] === 'user' && !holdsResult(message));
  const first = history.slice(asked + 1).find(({ role }) => role === 'assistant');
  return !listRecords(first?.['content']).some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}

function holdsResult(message: Json | undefined): boolean {
  return listRecords(message?.['content']).some(({ type }) => type === 'tool_result');
}

function withoutEditsOfThinking(management: string): Readonly<Record<string, string | undefined>> {
  const member = createOriginalBody(management);
  const edits = editElements((member && readMember(member, 'edits')) ?? '', ({ type }) =>
    String(type).startsWith(OF_THINKING) ? 'leave-out' : 'keep',
  );
  if (edits?.isChanged !== true) return {};
  return { context_management: edits.isEmpty ? undefined : editObject(management, { edits: edits.text }) };
}
