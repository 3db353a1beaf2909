import { collectReply, type ChatReply } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { cleanText } from '../../failures/clean-text';
import { readToldChat } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { createEventLog } from '../../streams/create-event-log';
import { asArray, asRecord, asText, parseJson, type JsonRecord } from '../../wire/json-value';
import { isFailure } from './decode-finish';
import { sayContent } from './decode-stream';
import { readUsage } from './read-usage';
import { createReplyStream, type DecodeContext, type ReplyStream } from './reply-stream';

/** A whole reply, told by the same rules as a stream. Throws `provider_unreadable` for anything else. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const told = asRecord(parseJson(text)) ?? {};
  return readToldChat(
    () => readReply(told, context),
    () => readUsage(told['usage']),
  );
}

function readReply(told: JsonRecord, context: DecodeContext): ChatReply {
  const message = asRecord(told['message']);
  if (message === undefined) throw unreadableReply();
  if (isFailure(told['finish_reason'])) throw explainBreakdown(told);
  const log = createEventLog();
  const reply = createReplyStream(log, context);
  reply.start(told['id']);
  tellMessage(reply, message);
  reply.finish(told['finish_reason'], told['usage']);
  return collectReply(log.take());
}

/** It says nothing beside its word where it broke down, and came with the status of a success. */
function explainBreakdown(told: JsonRecord): GatewayError {
  const said = cleanText(asText(told['error']) ?? '');
  return new GatewayError('provider_failed', said || 'The provider ended the reply with an error.');
}

function tellMessage(reply: ReplyStream, message: JsonRecord): void {
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
