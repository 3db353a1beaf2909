import { createHash } from 'node:crypto';
import { shortenId } from '../wire/shorten-id';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

const NINE = /^[A-Za-z0-9]{9}$/;
const FORTY = 40;

/**
 * A tool call's id in the form the provider accepts. The same id always becomes the same text, and only the pairing of
 * call and result matters, so nothing has to be undone.
 */
export function encodeToolCallId(id: string, form: CompatibleProvider['toolCallIds']): string {
  if (form === 'forty-characters') return shortenId(id, FORTY);
  if (form === 'any' || NINE.test(id)) return id;
  return createHash('sha256')
    .update(id)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, 'x')
    .slice(0, 9);
}

const ANY_ID = /"tool_call/;
/** Within a JSON text only members have a name between quotes: inside of strings those are escaped. */
const LONG_ID = /"(?:id|tool_call_id)"\s*:\s*"[^"]{41}/;

/** Whether a body may hold ids that `encodeToolCallId` changes. Finds too much rather than too little. */
export function mayHoldOtherIds(text: string, form: CompatibleProvider['toolCallIds']): boolean {
  return form !== 'any' && ANY_ID.test(text) && (form !== 'forty-characters' || LONG_ID.test(text));
}
