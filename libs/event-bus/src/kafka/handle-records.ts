import type { SequencedUsageEvent } from '@weir/contracts';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { retryPauseMs } from '../retry-pause';
import type { BusLog, UsageBatch, UsageHandler } from '../usage-bus';
import { createStrayRecords } from './stray-records';
import { decodeUsageRecord } from './usage-record';

const POLL_MS = 100;

export type Claim = {
  /** False when the partition may have become another's since: the client has joined its group anew, or given up. */
  readonly isOurs: () => boolean;
  /** False as well once we are closing. */
  readonly isWanted: () => boolean;
};

/** Records of one partition that follow one another, at least one. */
export type PartitionRecords = Claim & { readonly payload: EachBatchPayload; readonly messages: readonly KafkaMessage[] };

type HandlingParts = { readonly handler: UsageHandler; readonly log: BusLog };

/** Hands records to the handler until it takes them, then commits how far they went. Never rejects. */
export async function handleRecords(records: PartitionRecords, parts: HandlingParts): Promise<void> {
  const batch = describeBatch(records, parts.log);
  if ((await handleUntilTaken(batch, records, parts)) && records.isOurs()) await commit(records, parts.log);
}

function describeBatch({ payload, messages }: PartitionRecords, log: BusLog): UsageBatch {
  const { topic, partition } = payload.batch;
  const events: SequencedUsageEvent[] = [];
  const strays = createStrayRecords({ topic, partition }, log, events);
  for (const message of messages) {
    const event = decodeUsageRecord(message);
    if (event === undefined) strays.add(message);
    else {
      strays.end();
      events.push(event);
    }
  }
  strays.end();
  return { source: { topic, partition, nextOffset: nextOffset(messages) }, events };
}

function nextOffset(messages: readonly KafkaMessage[]): bigint {
  return BigInt(messages.at(-1)?.offset ?? '-1') + 1n;
}

/** Returns false when the records are no longer wanted before the handler took them. */
async function handleUntilTaken(
  batch: UsageBatch,
  { payload, isWanted }: PartitionRecords,
  { handler, log }: HandlingParts,
): Promise<boolean> {
  const { topic, partition } = payload.batch;
  for (let failures = 0; isWanted();) {
    try {
      await handler(batch);
      return true;
    } catch (error) {
      failures += 1;
      log.error({ error, failures, topic, partition }, 'a usage batch was not handled; it will be tried again');
      await pauseWhile(retryPauseMs(failures), isWanted);
    }
  }
  return false;
}

async function pauseWhile(ms: number, shouldGoOn: () => boolean): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && shouldGoOn()) await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, ms)));
}

/**
 * Only a hint where to go on: what is handled again changes nothing, because the handler knows each event's sequence. A
 * commit that fails is made up for by the next; should we no longer be of the group, the client learns it by itself.
 */
async function commit({ payload, messages }: PartitionRecords, log: BusLog): Promise<void> {
  const { topic, partition } = payload.batch;
  const offset = nextOffset(messages).toString();
  try {
    await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] });
  } catch (error) {
    log.warn({ error, topic, partition, offset }, 'how far the bus was read could not be noted; it is with the next batch');
  }
}
