import type { SequencedUsageEvent } from '@weir/contracts';
import type { KafkaMessage } from 'kafkajs';
import type { BusLog } from '../usage-bus';

/** How much of the records' content one event quotes; what follows goes into another event. */
const VALUE_BYTES_MAX = 2 ** 20;

type PartitionName = { readonly topic: string; readonly partition: number };

/**
 * Gathers records that name no writer and sequence, and makes of each run of them one event without a position, which becomes a
 * dead letter: whatever was on the bus and is not counted can be seen. Its payload says where they are and holds what they
 * hold, and is itself no usage event, so that nothing in it is believed.
 */
type StrayRecords = {
  add(message: KafkaMessage): void;
  /** Ends the run, if there is one. */
  end(): void;
};

/** `events` is added to. */
export function createStrayRecords({ topic, partition }: PartitionName, log: BusLog, events: SequencedUsageEvent[]): StrayRecords {
  let run: KafkaMessage[] = [];
  let bytes = 0;
  const end = (): void => {
    if (run.length === 0) return;
    const place = { topic, partition, first_offset: run[0]?.offset, last_offset: run.at(-1)?.offset, records: run.length };
    log.error(place, 'records name no writer and sequence; they become a dead letter');
    const values = run.flatMap(({ value }) => (value === null ? [] : [value.toString()]));
    events.push({ writerId: '', epoch: 0, sequence: 0n, payload: JSON.stringify({ stray_records: { ...place, values } }) });
    run = [];
    bytes = 0;
  };
  return {
    add: (message) => {
      run.push(message);
      bytes += message.value?.length ?? 0;
      if (bytes >= VALUE_BYTES_MAX) end();
    },
    end,
  };
}
