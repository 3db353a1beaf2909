import type { Usage } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../provider/provider';
import { hasFailure, toStreamFailure, unreadableStream } from '../../failures/stream-failure';
import { createEventLog, type EventLog } from '../../streams/create-event-log';
import { createFrameDecoder } from '../../streams/create-frame-decoder';
import { asArray, asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { createCandidateStream, type CandidateStream, type DecodeContext } from './candidate-stream';
import { findBlockedPrompt } from './decode-finish';
import { readUsage } from './read-usage';

/**
 * Chunks of a streamed reply as events. No marker ends the stream: it was whole when every candidate has given its
 * reason, and the last usage reported is the final one.
 */
export function createStreamDecoder(context: DecodeContext): ChatStreamDecoder {
  const log = createEventLog();
  const reply: Reply = { log, context, candidates: new Map(), hasStarted: false, usage: undefined, blocked: undefined };
  return createFrameDecoder(log, {
    take(data) {
      const chunk = asRecord(parseExact(data));
      if (chunk === undefined) log.close(unreadableStream());
      else if (hasFailure(chunk)) log.close(toStreamFailure(chunk));
      else takeReply(reply, chunk);
    },
    end() {
      const all = [...reply.candidates.values()];
      if (reply.blocked !== undefined || (all.length > 0 && all.every((candidate) => candidate.hasFinished()))) finishReply(reply);
    },
    learn: (whole) => void (reply.usage = whole['usageMetadata']),
    reported: () => readUsed(reply),
  });
}

export type Reply = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly candidates: Map<number, CandidateStream>;
  hasStarted: boolean;
  usage: unknown;
  blocked: ReturnType<typeof findBlockedPrompt>;
};

/** Takes one reply object: a chunk of a stream, or a whole reply, which has the same shape. */
export function takeReply(reply: Reply, reported: JsonRecord): void {
  const { log, context, candidates } = reply;
  if (!reply.hasStarted) start(reply, reported);
  if (readUsage(reported['usageMetadata']) !== null) reply.usage = reported['usageMetadata'];
  reply.blocked = findBlockedPrompt(reported) ?? reply.blocked;
  for (const entry of asArray(reported['candidates'])) {
    const candidate = asRecord(entry) ?? {};
    const index = typeof candidate['index'] === 'number' ? candidate['index'] : 0;
    let stream = candidates.get(index);
    if (stream === undefined) {
      stream = createCandidateStream({ log, choice: index, context });
      candidates.set(index, stream);
    }
    stream.take(candidate);
  }
}

function start(reply: Reply, reported: JsonRecord): void {
  reply.hasStarted = true;
  const createdAt = Date.parse(asText(reported['createTime']) ?? '');
  reply.log.add({
    type: 'start',
    id: asText(reported['responseId']) ?? mintId('resp_'),
    model: asText(reported['modelVersion']) ?? reply.context.fallbackModel,
    createdAtSeconds: Math.floor((Number.isNaN(createdAt) ? Date.now() : createdAt) / 1000),
  });
}

/** The usage reported last, with the searches that the candidates list. */
export function readUsed({ usage, candidates }: Pick<Reply, 'usage' | 'candidates'>): Usage | null {
  const read = readUsage(usage);
  const searches = [...candidates.values()].reduce((sum, candidate) => sum + candidate.searchCount(), 0);
  return read === null ? null : { ...read, searches };
}

export function finishReply({ log, candidates, usage, blocked }: Reply): void {
  const all = [...candidates.values()];
  for (const candidate of all) candidate.close();
  const breakdown = all.map((candidate) => candidate.breakdown()).find((why) => why !== undefined);
  if (breakdown !== undefined) return log.close({ type: 'error', code: 'provider_failed', message: breakdown, status: null });
  for (const candidate of all) candidate.finish();
  if (all.length === 0 && blocked !== undefined) log.add({ type: 'finish', choice: 0, finish: blocked });
  const used = readUsed({ usage, candidates });
  if (used !== null) log.add({ type: 'usage', usage: used });
  log.close({ type: 'end' });
}
