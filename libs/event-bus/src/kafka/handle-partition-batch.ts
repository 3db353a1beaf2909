import type { SequencedUsageEvent } from '@weir/contracts';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { retryPauseMs } from '../retry-pause';
import { BATCH_EVENTS_MAX, type BusLog, type UsageBatch, type UsageHandler } from '../usage-bus';
import { decodeUsageRecord } from './usage-record';

const HEARTBEAT_MS = 1_000;
const POLL_MS = 100;

export type PartitionContext = { readonly handler: UsageHandler; readonly log: BusLog; readonly isClosing: () => boolean };

/**
 * Hands one partition's fetched records to the handler, piece by piece, and commits each piece after it was handled.
 * While the handler works the group is told that we live, so a slow transaction does not cost us the partition.
 */
export async function handlePartitionBatch(payload: EachBatchPayload, context: PartitionContext): Promise<void> {
  const { messages } = payload.batch;
  for (let start = 0; start < messages.length; start += BATCH_EVENTS_MAX) {
    if (!isOurs(payload, context)) return;
    const piece = messages.slice(start, start + BATCH_EVENTS_MAX);
    const batch = describeBatch(payload, piece, context.log);
    const isHandled = await withHeartbeat(payload, () => handleUntilTaken(batch, payload, context));
    if (!isHandled) return;
    await commit(payload, piece);
  }
}

function isOurs(payload: EachBatchPayload, context: PartitionContext): boolean {
  return payload.isRunning() && !payload.isStale() && !context.isClosing();
}

function describeBatch(payload: EachBatchPayload, piece: readonly KafkaMessage[], log: BusLog): UsageBatch {
  const { topic, partition } = payload.batch;
  const events: SequencedUsageEvent[] = [];
  for (const message of piece) {
    const event = decodeUsageRecord(message);
    if (event === undefined)
      log.error({ topic, partition, offset: message.offset }, 'a record names no writer and sequence; it is passed over');
    else events.push(event);
  }
  return { source: { topic, partition, nextOffset: nextOffset(piece) }, events };
}

function nextOffset(piece: readonly KafkaMessage[]): bigint {
  return BigInt(piece.at(-1)?.offset ?? '-1') + 1n;
}

/** Answers false when the partition was taken from us, or we are closing, before the handler took the batch. */
async function handleUntilTaken(batch: UsageBatch, payload: EachBatchPayload, context: PartitionContext): Promise<boolean> {
  const { topic, partition } = payload.batch;
  for (let failures = 0; isOurs(payload, context);) {
    try {
      if (batch.events.length > 0) await context.handler(batch);
      return true;
    } catch (error) {
      failures += 1;
      context.log.error({ error, failures, topic, partition }, 'a usage batch was not handled; it will be tried again');
      await pauseWhile(retryPauseMs(failures), () => isOurs(payload, context));
    }
  }
  return false;
}

async function pauseWhile(ms: number, shouldGoOn: () => boolean): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && shouldGoOn()) await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, ms)));
}

/**
 * A heartbeat that fails means the group is being rebalanced. The work at hand is finished and committed all the same;
 * the commit, or the next heartbeat after it, then makes the client join again.
 */
async function withHeartbeat<T>(payload: EachBatchPayload, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void payload.heartbeat().catch(() => undefined), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Only a hint where to go on: what is handled again changes nothing, because the handler knows each event's sequence. */
async function commit(payload: EachBatchPayload, piece: readonly KafkaMessage[]): Promise<void> {
  const { topic, partition } = payload.batch;
  const last = piece.at(-1);
  if (last === undefined) return;
  payload.resolveOffset(last.offset);
  await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: nextOffset(piece).toString() }] }] });
  await payload.heartbeat();
}
