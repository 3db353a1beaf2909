import type { ParsedBody } from '@weir/http-server';
import type { ChatDialect } from '@weir/contracts';

type Json = Readonly<Record<string, unknown>>;

/** Ids of items that were told here: made from the request's own id. */
const TOLD_HERE = /^rs_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}\d{1,4}$/;
const EMPTY = '""';

/**
 * Whether a conversation holds what other models told through this gateway and what their vendors gave no state for:
 * thinking without a signature, pages and sources without their encrypted part, reasoning that is stored nowhere. The
 * dialect's own vendor always gives one, and refuses history without.
 */
export function holdsForeignHistory(dialect: ChatDialect, { text, json }: ParsedBody): boolean {
  if (dialect === 'messages') return text.includes(EMPTY) && listRecords(json['messages']).some(holdsEmptyState);
  return dialect === 'responses' && text.includes('"rs_') && listRecords(json['input']).some(isLostReasoning);
}

function holdsEmptyState({ role, content }: Json): boolean {
  return role === 'assistant' && listRecords(content).some(isEmptyState);
}

function isEmptyState({ type, signature, content, citations }: Json): boolean {
  if (type === 'thinking') return signature === '';
  if (type === 'web_search_tool_result') return listRecords(content).some((page) => page['encrypted_content'] === '');
  return type === 'text' && listRecords(citations).some((citation) => citation['encrypted_index'] === '');
}

function isLostReasoning({ type, id, encrypted_content: state }: Json): boolean {
  return type === 'reasoning' && typeof id === 'string' && TOLD_HERE.test(id) && (state === undefined || state === null || state === '');
}

function listRecords(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((entry): entry is Json => typeof entry === 'object' && entry !== null) : [];
}
