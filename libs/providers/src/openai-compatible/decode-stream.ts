import type { ChatEvent, Citation } from '@weir/canonical';
import type { ChatStreamDecoder } from '../chat-provider';
import { hasFailure, toStreamFailure, unreadableStream } from '../failures/stream-failure';
import { createEventLog } from '../streams/create-event-log';
import { createSseReader, type SseFrame } from '../streams/sse-frames';
import { asArray, asRecord, asText, parseJson, type JsonRecord } from '../wire/json-value';
import { mintId } from '../wire/mint-id';
import { createChoiceStream, type ChoiceStream } from './choice-stream';
import { readSources } from './decode-message';
import { findUsage, toSeconds, type DecodeContext } from './decode-reply';
import { readUsage } from './read-usage';

const DONE = '[DONE]';

/**
 * Chunks of chat completions as events. What a provider may say early, twice or late (finish reasons, usage, sources)
 * is kept and told once, when the stream ends: at `[DONE]`, or at its orderly end after every choice has finished.
 */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const reader = createSseReader();
  const log = createEventLog();
  const choices = new Map<number, ChoiceStream>();
  let hasStarted = false;
  let isOver = false;
  let usage: unknown;
  let sources: readonly Citation[] = [];

  function start(chunk: JsonRecord): void {
    hasStarted = true;
    const serviceTier = asText(chunk['service_tier']);
    const systemFingerprint = asText(chunk['system_fingerprint']);
    log.add({
      type: 'start',
      id: asText(chunk['id']) ?? mintId('chatcmpl-'),
      model: asText(chunk['model']) ?? context.fallbackModel,
      createdAtSeconds: toSeconds(chunk['created']),
      ...(serviceTier === undefined ? {} : { serviceTier }),
      ...(systemFingerprint === undefined ? {} : { systemFingerprint }),
    });
  }

  function takeChoice(choice: JsonRecord): void {
    const index = typeof choice['index'] === 'number' ? choice['index'] : 0;
    let stream = choices.get(index);
    if (stream === undefined) {
      stream = createChoiceStream({ log, choice: index, customTools: context.customTools });
      choices.set(index, stream);
    }
    stream.take(choice);
  }

  function takeChunk(chunk: JsonRecord): void {
    const listed = asArray(chunk['choices']);
    const first = asRecord(listed[0]);
    const failed = hasFailure(chunk) ? chunk : first !== undefined && hasFailure(first) ? first : undefined;
    if (failed !== undefined) return stop(toStreamFailure(failed));
    const told = findUsage(chunk, first);
    if (told !== undefined && told !== null) usage = told;
    const named = readSources(chunk);
    if (named.length > 0) sources = named;
    if (listed.length === 0) return;
    if (!hasStarted) start(chunk);
    for (const entry of listed) {
      const choice = asRecord(entry);
      if (choice !== undefined) takeChoice(choice);
    }
  }

  function stop(event: ChatEvent): void {
    isOver = true;
    log.add(event);
  }

  function finish(): void {
    if ([...choices.values()].some((choice) => choice.hasFailed()))
      return stop({ ...unreadableStream(), code: 'provider_failed' } as ChatEvent);
    for (const choice of choices.values()) choice.close(sources);
    for (const choice of choices.values()) choice.finish();
    const read = readUsage(usage, context.usage);
    if (read !== null) log.add({ type: 'usage', usage: read });
    stop({ type: 'end' });
  }

  function takeFrame(frame: SseFrame): void {
    if (isOver || frame.data === '') return;
    if (frame.data === DONE) {
      if (hasStarted) finish();
      else stop(unreadableStream());
      return;
    }
    const chunk = asRecord(parseJson(frame.data));
    if (chunk === undefined) stop(unreadableStream());
    else takeChunk(chunk);
  }

  return {
    push(bytes) {
      for (const frame of reader.push(bytes)) takeFrame(frame);
      return log.take();
    },
    end() {
      for (const frame of reader.end()) takeFrame(frame);
      const isComplete = choices.size > 0 && [...choices.values()].every((choice) => choice.hasFinished());
      if (!isOver && isComplete) finish();
      return log.take();
    },
  };
}
