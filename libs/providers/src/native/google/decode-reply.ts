import { collectReply, type ChatReply } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { explainFailure, wordsOf } from '../../failures/explain-failure';
import { readReportedChat } from '../../failures/failed-reply';
import { hasFailure } from '../../failures/stream-failure';
import { unreadableReply } from '../../failures/unsupported';
import { createEventLog } from '../../streams/create-event-log';
import { asRecord, parseExact, type JsonRecord } from '../../wire/json-value';
import type { DecodeContext } from './candidate-stream';
import { findBlockedPrompt } from './decode-finish';
import { finishReply, readUsed, takeReply, type Reply } from './decode-stream';

/** A whole reply: the same shape as one chunk of a stream, and read by the same rules. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const reported = asRecord(parseExact(text));
  if (reported === undefined) throw unreadableReply();
  const usage = reported['usageMetadata'];
  const reply: Reply = { log: createEventLog(), context, candidates: new Map(), hasStarted: false, usage, blocked: undefined };
  return readReportedChat(
    () => collect(reply, reported),
    () => readUsed(reply),
  );
}

function collect(reply: Reply, reported: JsonRecord): ChatReply {
  if (hasFailure(reported)) throw explainFailure({ status: 502, headers: {}, words: wordsOf(reported), secrets: [] });
  if (!Array.isArray(reported['candidates']) && findBlockedPrompt(reported) === undefined) throw unreadableReply();
  takeReply(reply, reported);
  // Feedback on the prompt in place of an answer is a refusal, even where the reason is left out.
  if (reply.candidates.size === 0 && asRecord(reported['promptFeedback']) !== undefined) {
    reply.blocked ??= { unified: 'content-filter', upstream: null };
  }
  finishReply(reply);
  const events = reply.log.take();
  const last = events.at(-1);
  if (last?.type === 'error') throw new GatewayError('provider_failed', last.message);
  return collectReply(events);
}
