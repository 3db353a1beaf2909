import type { GatewayError } from '@weir/errors';
import { refusedContent } from '../../media/refuse-content';
import { asArray, asRecord, asRecords, asText, type JsonRecord } from '../../wire/json-value';
import { findBlockedPrompt } from './decode-finish';

/** What the first candidate of a reply, or of a chunk of one, holds: its parts without those of thinking. */
export function listParts(reply: JsonRecord): readonly JsonRecord[] {
  const content = asRecord(asRecord(asArray(reply['candidates'])[0])?.['content']);
  return asRecords(content?.['parts']).filter((part) => part['thought'] !== true);
}

export function joinText(parts: readonly JsonRecord[]): string {
  return parts.map((part) => asText(part['text']) ?? '').join('');
}

/** Why the first candidate ended; undefined while it has not. A blocked prompt has ended as well. */
export function readEnd(reply: JsonRecord): string | undefined {
  const blocked = findBlockedPrompt(reply)?.upstream ?? undefined;
  return blocked ?? asText(asRecord(asArray(reply['candidates'])[0])?.['finishReason']);
}

/** Nothing was made: the words of the provider, or at least its reason. */
export function refusedBy(reply: JsonRecord): GatewayError {
  const candidate = asRecord(asArray(reply['candidates'])[0]);
  const end = readEnd(reply);
  const words = asText(candidate?.['finishMessage']) ?? findBlockedPrompt(reply)?.explanation;
  return refusedContent(words ?? (end === undefined ? undefined : `The provider made nothing of this request: ${end}.`));
}
