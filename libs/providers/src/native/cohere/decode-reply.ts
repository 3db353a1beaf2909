import { collectReply, type ChatReply } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { cleanText } from '../../failures/clean-text';
import { readReportedChat } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { createEventLog } from '../../streams/create-event-log';
import { asArray, asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { isFailure } from './decode-finish';
import { sayContent } from './decode-stream';
import { readUsage } from './read-usage';
import { createReplyStream, type DecodeContext, type ReplyStream } from './reply-stream';

/** A whole reply, decoded by the same rules as a stream. Throws `provider_unreadable` for anything else. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const reported = asRecord(parseExact(text)) ?? {};
  return readReportedChat(
    () => readReply(reported, context),
    () => readUsage(reported['usage']),
  );
}

function readReply(reported: JsonRecord, context: DecodeContext): ChatReply {
  const message = asRecord(reported['message']);
  if (message === undefined) throw unreadableReply();
  if (isFailure(reported['finish_reason'])) throw explainBreakdown(reported);
  const log = createEventLog();
  const reply = createReplyStream(log, context);
  reply.start(reported['id']);
  reportMessage(reply, message);
  reply.finish(reported['finish_reason'], reported['usage']);
  return collectReply(log.take());
}

/** It says nothing beside its word where it broke down, and came with the status of a success. */
function explainBreakdown(reported: JsonRecord): GatewayError {
  const said = cleanText(asText(reported['error']) ?? '');
  return new GatewayError('provider_failed', said || 'The provider ended the reply with an error.');
}

function reportMessage(reply: ReplyStream, message: JsonRecord): void {
  reply.say('reasoning', message['tool_plan']);
  for (const part of listRecords(message['content'])) {
    reply.closeProse();
    sayContent(reply, part);
  }
  for (const citation of listRecords(message['citations'])) reply.cite(citation);
  for (const call of listRecords(message['tool_calls'])) reply.startCall(call);
}

function listRecords(value: unknown): JsonRecord[] {
  return asArray(value).map((entry) => asRecord(entry) ?? {});
}
