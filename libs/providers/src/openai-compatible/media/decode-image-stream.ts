import { toCount, type ImageEvent, type ImageStreamDecoder } from '@weir/canonical';
import { unreadableReply } from '../../failures/unsupported';
import { createJsonEvents } from '../../media/json-events';
import { asText, type JsonRecord } from '../../wire/json-value';
import { decodeFacts, decodeImageUsage } from './decode-image-reply';

/** Reads `image_generation.*` and `image_edit.*` events; others are passed over. */
export function createImageStreamDecoder(): ImageStreamDecoder {
  return createJsonEvents(decodeEvent);
}

function decodeEvent(body: JsonRecord): ImageEvent[] {
  const type = asText(body['type']) ?? '';
  const isPartial = type.endsWith('.partial_image');
  if (!isPartial && !type.endsWith('.completed')) return [];
  const base64 = asText(body['b64_json']);
  if (base64 === undefined) throw unreadableReply();
  const reported = { base64, created: typeof body['created_at'] === 'number' ? body['created_at'] : null, facts: decodeFacts(body) };
  if (isPartial) return [{ type: 'partial', index: toCount(body['partial_image_index']), ...reported }];
  return [{ type: 'completed', ...reported, usage: decodeImageUsage(body['usage'], 1) }];
}
