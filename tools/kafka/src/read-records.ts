import { Kafka, logLevel, type Admin } from 'kafkajs';
import { randomUUID } from 'node:crypto';

type KafkaRecord = { readonly topic: string; readonly key: string; readonly value: string; readonly headers: string };

/** Reads every record that is in a broker at this moment, of all topics but its own. For tests and inspection: keeps all in memory. */
export async function readRecords(brokers: string): Promise<KafkaRecord[]> {
  const kafka = new Kafka({ clientId: 'weir-read-records', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const groupId = `weir-read-records-${randomUUID()}`;
  try {
    const ends = await findEnds(admin);
    return ends.size === 0 ? [] : await readUntil(kafka, groupId, ends);
  } finally {
    await admin.deleteGroups([groupId]).catch(() => undefined);
    await admin.disconnect();
  }
}

/** How many records there are to be read, by `topic/partition`. */
async function findEnds(admin: Admin): Promise<Map<string, { readonly topic: string; readonly lastOffset: bigint }>> {
  const ends = new Map<string, { readonly topic: string; readonly lastOffset: bigint }>();
  for (const topic of (await admin.listTopics()).filter((name) => !name.startsWith('__'))) {
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      if (BigInt(high) > BigInt(low)) ends.set(`${topic}/${partition}`, { topic, lastOffset: BigInt(high) - 1n });
    }
  }
  return ends;
}

async function readUntil(
  kafka: Kafka,
  groupId: string,
  ends: Map<string, { readonly topic: string; readonly lastOffset: bigint }>,
): Promise<KafkaRecord[]> {
  const consumer = kafka.consumer({ groupId });
  const records: KafkaRecord[] = [];
  const open = new Set(ends.keys());
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...new Set([...ends.values()].map(({ topic }) => topic))], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      const eachMessage: Parameters<typeof consumer.run>[0] = {
        eachMessage: ({ topic, partition, message }) => {
          const { key, value, headers } = message;
          records.push({ topic, key: String(key), value: String(value), headers: describeHeaders(headers) });
          const place = `${topic}/${partition}`;
          if (BigInt(message.offset) >= (ends.get(place)?.lastOffset ?? 0n)) open.delete(place);
          if (open.size === 0) resolve();
          return Promise.resolve();
        },
      };
      consumer.run(eachMessage).catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return records;
}

function describeHeaders(headers: Readonly<Record<string, unknown>> = {}): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
