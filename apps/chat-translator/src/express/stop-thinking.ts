import { createOriginalBody, readMember } from '@weir/canonical';
import type { ReportedBody } from './clean-history';
import { editElements, editObject, listRecords, type Json } from './edit-elements';

const DISABLED = '{"type":"disabled"}';
/** Edits of the history that the vendor refuses of a request that does not think. */
const OF_THINKING = 'clear_thinking';

/**
 * In the middle of a tool loop a model with a budget refuses to think on where the turn has lost the thinking it began
 * with. Answers what members of the body become then; none where it may think on.
 */
export function stopThinking({ body, json }: ReportedBody, messages: string): Readonly<Record<string, string | undefined>> {
  if ((json['thinking'] as Json | null | undefined)?.['type'] !== 'enabled' || !lacksThinking(messages)) return {};
  return { thinking: DISABLED, ...withoutEditsOfThinking(readMember(body, 'context_management') ?? '') };
}

/** A turn begins with what its user said, and goes on as long as only results of tools follow. */
function lacksThinking(messages: string): boolean {
  const reported = listRecords(JSON.parse(messages));
  if (!holdsResult(reported.at(-1))) return false;
  const asked = reported.findLastIndex((message) => message['role'] === 'user' && !holdsResult(message));
  const first = reported.slice(asked + 1).find(({ role }) => role === 'assistant');
  return !listRecords(first?.['content']).some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}

function holdsResult(message: Json | undefined): boolean {
  return listRecords(message?.['content']).some(({ type }) => type === 'tool_result');
}

function withoutEditsOfThinking(management: string): Readonly<Record<string, string | undefined>> {
  const reported = createOriginalBody(management);
  const edits = editElements((reported && readMember(reported, 'edits')) ?? '', ({ type }) =>
    String(type).startsWith(OF_THINKING) ? 'leave-out' : 'keep',
  );
  if (edits?.isChanged !== true) return {};
  return { context_management: edits.isEmpty ? undefined : editObject(management, { edits: edits.text }) };
}
