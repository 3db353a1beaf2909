// Reads usage events to the end of the topic, counts each once, and says whether any is missing.
//   KAFKA_BROKERS=127.0.0.1:9092 STATE_FILE=usage-state.json node dist/consume-usage.js
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Kafka, logLevel, type KafkaMessage } from 'kafkajs';
import { countRecord, describeState, emptyState, type State } from './count-usage.js';

const TOPIC = 'weir.usage.v1';
const { KAFKA_BROKERS: brokers = '127.0.0.1:9092', STATE_FILE: stateFile = 'usage-state.json' } = process.env;

const kafka = new Kafka({ clientId: 'usage-example', brokers: brokers.split(','), logLevel: logLevel.ERROR });
const state: State = existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as State) : emptyState();

await readToEnd();
const found = describeState(state);
console.log(JSON.stringify(found));
process.exitCode = found.is_complete ? 0 : 1;

async function readToEnd(): Promise<void> {
  const waiting = await findUnread();
  if (waiting.size === 0) return;
  // Offsets are in the state, beside what they led to: the group is only there because the client wants one.
  const consumer = kafka.consumer({ groupId: `usage-example-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
  const done = new Promise<void>((resolve, reject) => {
    consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
    void consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: ({ batch }) => {
        takeBatch(batch.partition, batch.messages);
        const end = waiting.get(batch.partition);
        if (end !== undefined && BigInt(state.offsets[batch.partition] ?? '0') >= end) waiting.delete(batch.partition);
        if (waiting.size === 0) resolve();
        return Promise.resolve();
      },
    });
    for (const [partition, offset] of Object.entries(state.offsets)) consumer.seek({ topic: TOPIC, partition: Number(partition), offset });
  });
  await done;
  await consumer.disconnect();
}

/** Partitions with something behind what was read, and where they end now. */
async function findUnread(): Promise<Map<number, bigint>> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(TOPIC);
  await admin.disconnect();
  const unread = ends.filter(({ partition, low, high }) => BigInt(high) > BigInt(state.offsets[partition] ?? low));
  return new Map(unread.map(({ partition, high }) => [partition, BigInt(high)]));
}

function takeBatch(partition: number, messages: readonly KafkaMessage[]): void {
  for (const { key, value, headers, offset } of messages) {
    if (BigInt(offset) < BigInt(state.offsets[partition] ?? '0')) continue;
    state.offsets[partition] = String(BigInt(offset) + 1n);
    const sequence = Number(String(headers?.['seq']));
    if (key !== null && value !== null) countRecord(state, { writer: key.toString(), sequence, value: value.toString() });
  }
  saveState();
}

/** Whole or not at all. */
function saveState(): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify(state));
  renameSync(`${stateFile}.new`, stateFile);
}
