import { TOPICS, type SequencedUsageEvent } from '@weir/contracts';

/** When an attempt ended; free text within an event has its quotes escaped, so it cannot look like this. */
const ENDED_AT = /"ended_at":(\d{1,15})[,}]/;

/**
 * The attributes of CloudEvents 1.0 as headers, in the binary mode of its Kafka binding. `source` and `id` are writer and sequence,
 * so a consumer that drops what has both in common drops exactly what came twice.
 * Source: the CloudEvents specification 1.0.2, Kafka protocol binding, "Binary Content Mode".
 */
export function writeCloudEventHeaders({ writerId, sequence, payload }: SequencedUsageEvent): Record<string, string> {
  const endedAt = ENDED_AT.exec(payload)?.[1];
  return {
    ce_specversion: '1.0',
    ce_id: sequence.toString(),
    ce_source: `/weir/writers/${writerId}`,
    ce_type: TOPICS.usage.name,
    ce_dataschema: '/schemas/usage-event',
    ...(endedAt === undefined ? {} : { ce_time: new Date(Number(endedAt)).toISOString() }),
    'content-type': 'application/json',
  };
}
