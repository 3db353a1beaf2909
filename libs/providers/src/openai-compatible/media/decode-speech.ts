import { createCountReader, isNumeral, NO_MEDIA_USAGE, type MediaUsage, type SpeechDecoder, type SpeechEvent } from '@weir/canonical';
import { createJsonEvents, cutStream } from '../../media/json-events';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';

/** Audio in `speech.audio.delta` events, and its usage in `speech.audio.done`, without which it is not whole. */
export function createSpeechEventDecoder(): SpeechDecoder {
  let isDone = false;
  const events = createJsonEvents((body) => {
    isDone ||= body['type'] === 'speech.audio.done';
    return decodeEvent(body);
  });
  return {
    reportsUsage: true,
    push: (bytes) => events.push(bytes),
    end() {
      const last = events.end();
      if (!isDone) throw cutStream();
      return last;
    },
  };
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

function decodeUsage(reported: unknown): MediaUsage | null {
  const usage = asRecord(reported);
  if (usage === undefined || (!isNumeral(usage['input_tokens']) && !isNumeral(usage['output_tokens']))) return null;
  const { count, needed, doubt } = createCountReader();
  const inputTextTokens = needed(usage['input_tokens'], usage['total_tokens'], count(usage['output_tokens']));
  const outputAudioTokens = needed(usage['output_tokens'], usage['total_tokens'], inputTextTokens);
  return { ...NO_MEDIA_USAGE, inputTextTokens, outputAudioTokens, ...doubt() };
}
