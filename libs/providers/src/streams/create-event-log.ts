import type { ChatEvent } from '@weir/canonical';

/** Where a decoder puts its events, and the numbering of the reply's blocks. One for each stream. */
export type EventLog = {
  add(event: ChatEvent): void;
  /** Adds the last event there is. */
  close(event: ChatEvent): void;
  isClosed(): boolean;
  /** The number of the next block, by first appearance. */
  nextBlock(): number;
  /** Returns the events since the last call. */
  take(): ChatEvent[];
  /** How many `take` would return. */
  count(): number;
  last(): ChatEvent | undefined;
};

export function createEventLog(): EventLog {
  let events: ChatEvent[] = [];
  let blocks = 0;
  let isClosed = false;
  return {
    add(event) {
      events.push(event);
    },
    close(event) {
      isClosed = true;
      events.push(event);
    },
    isClosed: () => isClosed,
    nextBlock() {
      blocks += 1;
      return blocks - 1;
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    count: () => events.length,
    last: () => events.at(-1),
  };
}
