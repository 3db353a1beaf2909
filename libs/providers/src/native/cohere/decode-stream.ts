import type { Usage } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../provider/provider';
import { hasFailure, toStreamFailure, unreadableStream } from '../../failures/stream-failure';
import { createEventLog, type EventLog } from '../../streams/create-event-log';
import { createFrameDecoder } from '../../streams/create-frame-decoder';
import { asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { isFailure } from './decode-finish';
import { readUsage } from './read-usage';
import { createReplyStream, type DecodeContext, type ReplyStream } from './reply-stream';

/** The provider's events as ours: content one block after the other, usage in the last event. */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const log = createEventLog();
  const reply = createReplyStream(log, context);
  /** Sent with the last event, or with the failure in its place. */
  let reported: Usage | null = null;
  return createFrameDecoder(log, {
    take(data) {
      if (data === '[DONE]') return;
      const event = asRecord(parseExact(data));
      if (event === undefined) return log.close(unreadableStream());
      if (isErrorBody(event)) return log.close(toStreamFailure(event));
      reported ??= readUsage(asRecord(event['delta'])?.['usage']);
      takeEvent(reply, event, log);
    },
    end() {
      // Only the last event ends a reply, and it has closed the log.
    },
    learn: (whole) => void (reported = readUsage(whole['usage'])),
    reported: () => reported,
  });
}

function isErrorBody(event: JsonRecord): boolean {
  return hasFailure(event) || (event['type'] === undefined && asText(event['message']) !== undefined);
}

function takeEvent(reply: ReplyStream, event: JsonRecord, log: EventLog): void {
  const delta = asRecord(event['delta']) ?? {};
  const message = asRecord(delta['message']) ?? {};
  const content = asRecord(message['content']) ?? {};
  const call = asRecord(message['tool_calls']) ?? {};
  if (event['type'] === 'message-start' || !reply.hasStarted()) reply.start(event['id']);
  switch (event['type']) {
    case 'content-start':
      reply.closeProse();
      return sayContent(reply, content);
    case 'content-delta':
      return sayContent(reply, content);
    case 'tool-plan-delta':
      return reply.say('reasoning', message['tool_plan']);
    case 'tool-call-start':
      return reply.startCall(call);
    case 'tool-call-delta':
      return reply.addArguments(asRecord(call['function'])?.['arguments']);
    case 'tool-call-end':
      return reply.endCall();
    case 'citation-start':
      return reply.cite(asRecord(message['citations']) ?? {});
    case 'message-end':
      return isFailure(delta['finish_reason']) ? log.close(toStreamFailure(delta)) : reply.finish(delta['finish_reason'], delta['usage']);
    default:
  }
}

/** A part of the content holds text or thinking, whole or in pieces. */
export function sayContent(reply: ReplyStream, part: JsonRecord): void {
  reply.say('reasoning', part['thinking']);
  reply.say('text', part['text']);
}
