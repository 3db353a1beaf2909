import type { ChatEvent } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../chat-provider';
import { toStreamFailure, unreadableStream } from '../../failures/stream-failure';
import { createEventLog } from '../../streams/create-event-log';
import { createSseReader, type SseFrame } from '../../streams/sse-frames';
import { asRecord, asText, parseJson, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { decodeFinish, type DecodeContext } from './decode-items';
import { createItemStreams } from './item-streams';
import { readUsage, withSearches } from './read-usage';

/** The events of a streamed response as ours. Items are told apart by their place in the output: ids may change. */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const reader = createSseReader();
  const log = createEventLog();
  const items = createItemStreams(log, context);
  let hasStarted = false;
  let isOver = false;

  function close(event: ChatEvent): void {
    isOver = true;
    log.add(event);
  }

  function start(response: JsonRecord): void {
    if (hasStarted) return;
    hasStarted = true;
    const createdAt = response['created_at'];
    const serviceTier = asText(response['service_tier']);
    log.add({
      type: 'start',
      id: asText(response['id']) ?? mintId('resp_'),
      model: asText(response['model']) ?? context.fallbackModel,
      createdAtSeconds: typeof createdAt === 'number' ? Math.floor(createdAt) : Math.floor(Date.now() / 1000),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    });
  }

  function finish(response: JsonRecord): void {
    start(response);
    items.closeAll();
    log.add({ type: 'finish', choice: 0, finish: decodeFinish(response, items.hasToolCalls()) });
    const usage = withSearches(readUsage(response['usage']), items.searchCount());
    if (usage !== null) log.add({ type: 'usage', usage });
    close({ type: 'end' });
  }

  function takeEvent(event: JsonRecord): void {
    const response = asRecord(event['response']) ?? {};
    switch (event['type']) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return start(response);
      case 'response.completed':
      case 'response.incomplete':
        return finish(response);
      case 'response.failed':
      case 'response.cancelled':
        return close(toStreamFailure(asRecord(response['error']) === undefined ? {} : { error: response['error'] }));
      case 'error':
        return close(toStreamFailure(event));
      default:
        start(response);
        items.take(event);
    }
  }

  function takeFrame(frame: SseFrame): void {
    if (isOver || frame.data === '' || frame.data === '[DONE]') return;
    const event = asRecord(parseJson(frame.data));
    if (event === undefined) close(unreadableStream());
    else if (typeof event['type'] === 'string') takeEvent(event);
    else if (event['error'] !== undefined) close(toStreamFailure(event));
  }

  return {
    push(bytes) {
      for (const frame of reader.push(bytes)) takeFrame(frame);
      return log.take();
    },
    end() {
      for (const frame of reader.end()) takeFrame(frame);
      return log.take();
    },
  };
}
