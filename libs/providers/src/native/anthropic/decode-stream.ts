import type { ChatStreamDecoder } from '../../provider/provider';
import { toStreamFailure, unreadableStream } from '../../failures/stream-failure';
import { createEventLog, type EventLog } from '../../streams/create-event-log';
import { createFrameDecoder } from '../../streams/create-frame-decoder';
import type { PlainTextRules } from '../../streams/plain-texts';
import { asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { createBlockStreams, type BlockStreams } from './block-streams';
import type { DecodeContext } from './decode-blocks';
import { decodeFinish, type StopWords } from './decode-finish';
import { mergeUsage, readUsage } from './read-usage';

const PLAIN: PlainTextRules = { words: { 'text-delta': 'text', 'reasoning-delta': 'thinking' } };

/**
 * The provider's events as ours. Usage is merged over the events that carry it, because searches make the prompt grow in
 * mid-stream; kinds of events not known here are passed over, as the provider asks of its readers.
 */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const log = createEventLog();
  const message: Message = { log, context, blocks: createBlockStreams(log, context), id: undefined, usage: {}, stop: undefined };
  return createFrameDecoder(log, {
    plain: PLAIN,
    take(data) {
      if (data === '[DONE]') return;
      const event = asRecord(parseExact(data));
      if (event === undefined) return log.close(unreadableStream());
      if (message.id === undefined && String(event['type']).startsWith('content_block')) start(message, {});
      takeEvent(message, event);
    },
    end() {
      if (message.id !== undefined && asText(message.stop?.stop_reason) !== undefined) finish(message);
    },
    learn: (whole) => void (message.usage = mergeUsage(message.usage, whole['usage'])),
    reported: () => readUsage(message.usage),
  });
}

type Message = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly blocks: BlockStreams;
  id: string | undefined;
  usage: JsonRecord;
  stop: StopWords | undefined;
};

function takeEvent(message: Message, event: JsonRecord): void {
  const { blocks, log } = message;
  const index = typeof event['index'] === 'number' ? event['index'] : 0;
  switch (event['type']) {
    case 'message_start':
      return start(message, asRecord(event['message']) ?? {});
    case 'content_block_start':
      return blocks.start(index, asRecord(event['content_block']) ?? {});
    case 'content_block_delta':
      return blocks.delta(index, asRecord(event['delta']) ?? {});
    case 'content_block_stop':
      return blocks.stop(index);
    case 'message_delta':
      message.stop = { ...message.stop, ...asRecord(event['delta']) };
      message.usage = mergeUsage(message.usage, event['usage']);
      return;
    case 'message_stop':
      return finish(message);
    case 'error':
      return log.close(toStreamFailure(event));
    default:
  }
}

function start(message: Message, reported: JsonRecord): void {
  const id = asText(reported['id']);
  if (message.id !== undefined) {
    // Some proxies repeat the first event, which is harmless; a second message within the first is not.
    if (id !== message.id) message.log.close(unreadableStream());
    return;
  }
  message.id = id ?? mintId('msg_');
  message.usage = mergeUsage(message.usage, reported['usage']);
  const usage = readUsage(message.usage);
  const serviceTier = asText(message.usage['service_tier']);
  message.log.add({
    type: 'start',
    id: message.id,
    model: asText(reported['model']) ?? message.context.fallbackModel,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    ...(usage === null ? {} : { usage }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  });
}

function finish({ log, blocks, stop, usage }: Message): void {
  blocks.closeAll();
  log.add({ type: 'finish', choice: 0, finish: decodeFinish(stop ?? {}, blocks.hasToolCalls()) });
  const read = readUsage(usage);
  if (read !== null) log.add({ type: 'usage', usage: read });
  log.close({ type: 'end' });
}
