import { createHash } from 'node:crypto';
import type { CompatibleProvider } from './compatible-provider.schema';

const NINE = /^[A-Za-z0-9]{9}$/;

/**
 * A tool call's id in the form the provider accepts. The same id always becomes the same text, and only the pairing of
 * call and result matters, so nothing has to be undone.
 */
export function encodeToolCallId(id: string, form: CompatibleProvider['toolCallIds']): string {
  if (form === 'any' || NINE.test(id)) return id;
  return createHash('sha256')
    .update(id)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, 'x')
    .slice(0, 9);
}
