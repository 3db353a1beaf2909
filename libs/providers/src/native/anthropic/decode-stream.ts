import type { ChatEvent } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../chat-provider';
import { toStreamFailure, unreadableStream } from '../../failures/stream-failure';
import { createEventLog } from '../../streams/create-event-log';
import { createSseReader, type SseFrame } from '../../streams/sse-frames';
import { asRecord, asText, parseJson, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { createBlockStreams } from './block-streams';
import type { DecodeContext } from './decode-blocks';
import { decodeFinish, type StopWords } from './decode-finish';
import { mergeUsage, readUsage } from './read-usage';

/**
 * The provider's events as ours. Usage is merged over the events that tell it, because searches make the prompt grow in
 * mid-stream; kinds of events not known here are passed over, as the provider asks of its readers.
 */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const reader = createSseReader();
  const log = createEventLog();
  const blocks = createBlockStreams(log, context);
  let messageId: string | undefined;
  let usage: JsonRecord = {};
  let stop: StopWords | undefined;
  let isOver = false;

  function close(event: ChatEvent): void {
    isOver = true;
    log.add(event);
  }

  function start(message: JsonRecord): void {
    const id = asText(message['id']);
    if (messageId !== undefined) {
      // Some proxies repeat the first event, which is harmless; a second message within the first is not.
      if (id !== messageId) close(unreadableStream());
      return;
    }
    messageId = id ?? mintId('msg_');
    usage = mergeUsage(usage, message['usage']);
    const known = readUsage(usage);
    const serviceTier = asText(usage['service_tier']);
    log.add({
      type: 'start',
      id: messageId,
      model: asText(message['model']) ?? context.fallbackModel,
      createdAtSeconds: Math.floor(Date.now() / 1000),
      ...(known === null ? {} : { usage: known }),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    });
  }

  function finish(): void {
    blocks.closeAll();
    log.add({ type: 'finish', choice: 0, finish: decodeFinish(stop ?? {}, blocks.hasToolCalls()) });
    const read = readUsage(usage);
    if (read !== null) log.add({ type: 'usage', usage: read });
    close({ type: 'end' });
  }

  function takeEvent(event: JsonRecord): void {
    const index = typeof event['index'] === 'number' ? event['index'] : 0;
    switch (event['type']) {
      case 'message_start':
        return start(asRecord(event['message']) ?? {});
      case 'content_block_start':
        return blocks.start(index, asRecord(event['content_block']) ?? {});
      case 'content_block_delta':
        return blocks.delta(index, asRecord(event['delta']) ?? {});
      case 'content_block_stop':
        return blocks.stop(index);
      case 'message_delta':
        stop = { ...stop, ...asRecord(event['delta']) };
        usage = mergeUsage(usage, event['usage']);
        return;
      case 'message_stop':
        return finish();
      case 'error':
        return close(toStreamFailure(event));
      default:
    }
  }

  function takeFrame(frame: SseFrame): void {
    if (isOver || frame.data === '' || frame.data === '[DONE]') return;
    const event = asRecord(parseJson(frame.data));
    if (event === undefined) return close(unreadableStream());
    const needsStart = messageId === undefined && event['type'] !== 'message_start' && String(event['type']).startsWith('content_block');
    if (needsStart) start({});
    takeEvent(event);
  }

  return {
    push(bytes) {
      for (const frame of reader.push(bytes)) takeFrame(frame);
      return log.take();
    },
    end() {
      for (const frame of reader.end()) takeFrame(frame);
      if (!isOver && messageId !== undefined && asText(stop?.stop_reason) !== undefined) finish();
      return log.take();
    },
  };
}
