import type { SequencedUsageEvent } from '@weir/contracts';
import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { writeCloudEventHeaders } from './cloud-event-headers';

const EVENT_VERSION = '1';
/** Near the front of every event, where a pattern finds it without parsing the whole. */
const EVENT_ID = /"event_id":"([^"\\]{1,200})"/;
const EVENT_ID_WITHIN = 400;

/** `cloudevents` adds headers; the event itself is the same. */
export type UsageEnvelope = 'plain' | 'cloudevents';

/** One event as a Kafka record: keyed by writer, so that a writer's events stay in one partition and in order. */
export function encodeUsageRecord(event: SequencedUsageEvent, envelope: UsageEnvelope = 'plain'): Message {
  const eventId = EVENT_ID.exec(event.payload.slice(0, EVENT_ID_WITHIN))?.[1];
  return {
    key: event.writerId,
    value: event.payload,
    headers: {
      v: EVENT_VERSION,
      seq: event.sequence.toString(),
      epoch: String(event.epoch),
      ...(eventId === undefined ? {} : { event_id: eventId }),
      ...(envelope === 'cloudevents' ? writeCloudEventHeaders(event) : {}),
    },
  };
}

/**
 * Reads a record back; undefined when it does not say which event of which writer it is. The payload is not looked at:
 * an unreadable one must reach the aggregator, or its sequence number would be missing for ever.
 */
export function decodeUsageRecord(message: Pick<KafkaMessage, 'key' | 'value' | 'headers'>): SequencedUsageEvent | undefined {
  const writerId = message.key?.toString();
  const sequence = readHeader(message.headers, 'seq');
  const epoch = readHeader(message.headers, 'epoch');
  if (writerId === undefined || writerId === '' || sequence === undefined || epoch === undefined) return undefined;
  return { writerId, epoch: Number(epoch), sequence: BigInt(sequence), payload: message.value?.toString() ?? '' };
}

/** Returns the value of a header that holds a plain whole number. */
function readHeader(headers: IHeaders | undefined, name: string): string | undefined {
  const value = headers?.[name];
  const text = Array.isArray(value) ? undefined : value?.toString();
  return text !== undefined && /^\d{1,19}$/.test(text) ? text : undefined;
}
