import type { ChatReply } from '@weir/canonical';
import { readReportedChat } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { asArray, asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { withTier } from '../../wire/with-tier';
import { decodeBlock, isAnswerCall, type DecodeContext } from './decode-blocks';
import { decodeFinish } from './decode-finish';
import { readUsage } from './read-usage';

/** A whole reply of Converse. Throws `provider_unreadable` for anything else, and for output the provider calls malformed. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const reply = asRecord(parseExact(text)) ?? {};
  return readReportedChat(
    () => readReply(reply, context),
    () => readUsage(reply['usage']),
  );
}

function readReply(reply: JsonRecord, context: DecodeContext): ChatReply {
  const message = asRecord(asRecord(reply['output'])?.['message']);
  if (message === undefined) throw unreadableReply();
  const blocks = asArray(message['content'])
    .map(asRecord)
    .filter((block) => block !== undefined);
  const content = blocks.flatMap((block) => decodeBlock(block, context));
  const finish = decodeFinish(reply, {
    hasToolCalls: content.some((block) => block.type === 'tool-call'),
    hasAnswer: blocks.some((block) => isAnswer(block, context)),
  });
  if (finish.unified === 'error') throw unreadableReply();
  const serviceTier = asText(asRecord(reply['serviceTier'])?.['type']);
  return {
    id: mintId('msg_'),
    model: context.fallbackModel,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    choices: [{ index: 0, content, finish }],
    usage: withTier(readUsage(reply['usage']), serviceTier),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  };
}

function isAnswer(block: JsonRecord, context: DecodeContext): boolean {
  const call = asRecord(block['toolUse']);
  return call !== undefined && isAnswerCall(call, context);
}
