import type { ChatReply } from '@weir/canonical';
import { readReportedChat } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { decodeBlocks, type DecodeContext } from './decode-blocks';
import { decodeFinish } from './decode-finish';
import { readUsage } from './read-usage';

/** A whole message. Throws `provider_unreadable` for anything else. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const message = asRecord(parseExact(text)) ?? {};
  return readReportedChat(
    () => readMessage(message, context),
    () => readUsage(asRecord(message['usage'])),
  );
}

function readMessage(message: JsonRecord, context: DecodeContext): ChatReply {
  if (!Array.isArray(message['content'])) throw unreadableReply();
  const content = decodeBlocks(message['content'], context);
  const hasToolCalls = content.some((block) => block.type === 'tool-call');
  const usage = asRecord(message['usage']);
  const serviceTier = asText(usage?.['service_tier']);
  return {
    id: asText(message['id']) ?? mintId('msg_'),
    model: asText(message['model']) ?? context.fallbackModel,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    choices: [{ index: 0, content, finish: decodeFinish(message, hasToolCalls) }],
    usage: readUsage(usage),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  };
}
