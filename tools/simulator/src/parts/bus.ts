import type { SequencedUsageEvent } from '@weir/contracts';
import type { Physics } from '../physics/physics';

const PARTITIONS = 2;
const FETCHED_MAX = 200;

type Partition = { records: SequencedUsageEvent[]; committed: bigint; owner: string | null };

/** A broker with one topic: records in order, read again from wherever, lost with its disk. */
export class Bus {
  readonly name = 'bus';
  isUp = true;
  readonly partitions: readonly Partition[] = Array.from({ length: PARTITIONS }, () => ({ records: [], committed: 0n, owner: null }));
  private copies = 0n;

  constructor(private readonly world: Physics) {}

  append(events: readonly SequencedUsageEvent[]): void {
    for (const event of events) {
      const { records } = this.partition(placeOf(event.writerId));
      records.push(event);
      if (this.world.faults.isMutated('charge-twice') && event.sequence % 50n === 7n) {
        records.push({ ...event, sequence: event.sequence + 1_000_000n + (this.copies += 1n) });
      }
    }
  }

  fetch(place: number, offset: bigint): { readonly events: readonly SequencedUsageEvent[]; readonly next: bigint } {
    const { records } = this.partition(place);
    // Behind the end: the topic was made anew.
    const from = offset > BigInt(records.length) ? 0 : Number(offset);
    const events = records.slice(from, from + FETCHED_MAX);
    return { events, next: BigInt(from + events.length) };
  }

  commit(place: number, offset: bigint): void {
    this.partition(place).committed = offset;
  }

  isOwner(place: number, member: string): boolean {
    return this.partition(place).owner === member;
  }

  /** Its disk is gone. */
  lose(): void {
    for (const partition of this.partitions) {
      partition.records = [];
      partition.committed = 0n;
    }
  }

  /** Partitions go to those that are known to live; one that is frozen goes on with what it has fetched all the same. */
  assign(members: readonly string[], shift: number): void {
    for (const [place, partition] of this.partitions.entries()) partition.owner = members[(place + shift) % members.length] ?? null;
  }

  partition(place: number): Partition {
    return this.partitions[place] as Partition;
  }
}

/** All of a writer is in one partition, in its order. */
function placeOf(writerId: string): number {
  return Number.parseInt(writerId.slice(0, 8), 16) % PARTITIONS;
}
