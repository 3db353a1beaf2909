import type { ChatEvent, Usage } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../provider/provider';
import { toFailureEvent, unreadableStream } from '../../failures/stream-failure';
import { createEventLog, type EventLog } from '../../streams/create-event-log';
import { asRecord, asText, parseExact, parseJson, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { withTier } from '../../wire/with-tier';
import { createBlockStreams, type BlockStreams } from './block-streams';
import type { DecodeContext } from './decode-blocks';
import { decodeFinish, type StopWords } from './decode-finish';
import { createEventFrameReader, type EventFrame } from './event-stream-frames';
import { readUsage } from './read-usage';
import { statusOfException } from './read-error';

/**
 * The binary stream of ConverseStream as events. Usage comes after the stop reason, or before it; the stream has ended
 * in order when both are there, or at its end after the stop reason.
 */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const reader = createEventFrameReader();
  const log = createEventLog();
  const blocks = createBlockStreams(log, context);
  const message: Message = { log, blocks, context, hasStarted: false, usage: undefined, tier: undefined, stop: undefined };
  return {
    push(bytes) {
      if (log.isClosed()) return [];
      for (const frame of reader.push(bytes)) if (!log.isClosed()) takeFrame(message, frame);
      if (reader.isBroken() && !log.isClosed()) log.close(unreadableStream());
      return log.take();
    },
    end() {
      if (!log.isClosed() && message.stop !== undefined) finish(message);
      return log.take();
    },
    reported: () => readUsed(message),
  };
}

type Message = {
  readonly log: EventLog;
  readonly blocks: BlockStreams;
  readonly context: DecodeContext;
  hasStarted: boolean;
  usage: unknown;
  tier: unknown;
  stop: StopWords | undefined;
};

function takeFrame(message: Message, frame: EventFrame): void {
  if (frame.kind !== 'event') return message.log.close(toFailure(frame));
  const event = asRecord(parseExact(frame.payload));
  if (event === undefined) return message.log.close(unreadableStream());
  start(message);
  takeEvent(message, frame.name, event);
  if (message.stop !== undefined && message.usage !== undefined) finish(message);
}

function start(message: Message): void {
  if (message.hasStarted) return;
  message.hasStarted = true;
  const createdAtSeconds = Math.floor(Date.now() / 1000);
  message.log.add({ type: 'start', id: mintId('msg_'), model: message.context.fallbackModel, createdAtSeconds });
}

/** Kinds of events not known here are passed over. */
function takeEvent(message: Message, name: string, event: JsonRecord): void {
  const { blocks } = message;
  const index = typeof event['contentBlockIndex'] === 'number' ? event['contentBlockIndex'] : 0;
  switch (name) {
    case 'contentBlockStart':
      return blocks.start(index, asRecord(event['start']) ?? {});
    case 'contentBlockDelta':
      return blocks.delta(index, asRecord(event['delta']) ?? {});
    case 'contentBlockStop':
      return blocks.stop(index);
    case 'messageStop':
      message.stop = event;
      return;
    case 'metadata':
      message.usage = event['usage'];
      message.tier = asRecord(event['serviceTier'])?.['type'];
      return;
    default:
  }
}

function readUsed({ usage, tier }: Message): Usage | null {
  return withTier(readUsage(usage), tier);
}

function finish(message: Message): void {
  const { log, blocks, stop } = message;
  blocks.closeAll();
  const reason = decodeFinish(stop ?? {}, blocks.seen());
  if (reason.unified === 'error') return log.close({ ...unreadableStream(), code: 'provider_failed' } as ChatEvent);
  log.add({ type: 'finish', choice: 0, finish: reason });
  const read = readUsed(message);
  if (read !== null) log.add({ type: 'usage', usage: read });
  log.close({ type: 'end' });
}

/** A failure in mid-stream: an exception of the service, or an error of the framing itself. */
function toFailure({ name, payload, message }: EventFrame): ChatEvent {
  const reported = asRecord(parseJson(payload)) ?? {};
  const original = reported['originalStatusCode'];
  const status = typeof original === 'number' ? original : (statusOfException(name) ?? null);
  const words = asText(reported['originalMessage']) ?? asText(reported['message']) ?? message;
  return toFailureEvent({ message: words, type: name }, status);
}
