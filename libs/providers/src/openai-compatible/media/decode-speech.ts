import { NO_MEDIA_USAGE, toCount, type MediaUsage, type SpeechDecoder, type SpeechEvent } from '@weir/canonical';
import { createJsonEvents } from '../../media/json-events';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';

/** Audio in `speech.audio.delta` events, and its usage in `speech.audio.done`. */
export function createSpeechEventDecoder(): SpeechDecoder {
  return createJsonEvents(decodeEvent);
}

function decodeEvent(body: JsonRecord): SpeechEvent[] {
  if (body['type'] === 'speech.audio.delta') {
    const audio = asText(body['audio']);
    return audio === undefined ? [] : [{ type: 'audio', bytes: Buffer.from(audio, 'base64') }];
  }
  if (body['type'] !== 'speech.audio.done') return [];
  const usage = decodeUsage(body['usage']);
  return usage === null ? [] : [{ type: 'usage', usage }];
}

function decodeUsage(told: unknown): MediaUsage | null {
  const usage = asRecord(told);
  if (usage === undefined || typeof usage['output_tokens'] !== 'number') return null;
  return { ...NO_MEDIA_USAGE, inputTextTokens: toCount(usage['input_tokens']), outputAudioTokens: toCount(usage['output_tokens']) };
}
