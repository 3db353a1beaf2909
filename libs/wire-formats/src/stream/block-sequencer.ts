import { endOf, endsBlock, startsBlock, type BlockEvent } from './block-events';

export type BlockSequencer = {
  push(event: BlockEvent): void;
  /** Ends what a careless provider left open and lets out all that waits. */
  close(): void;
};

type Waiting = { readonly events: BlockEvent[]; hasEnded: boolean };

/**
 * Puts interleaved blocks one after another, in the order of their first appearance: the open block passes straight
 * through, the others wait for their turn. Events of blocks that are not open are left out.
 */
export function createBlockSequencer(emit: (event: BlockEvent) => void): BlockSequencer {
  const waiting = new Map<number, Waiting>();
  let current = -1;
  let currentStart: BlockEvent | undefined;

  function push(event: BlockEvent): void {
    if (event.block === current) {
      emit(event);
      if (endsBlock(event)) advance();
    } else if (current === -1) {
      open(event);
    } else {
      wait(event);
    }
  }

  function open(event: BlockEvent): void {
    if (!startsBlock(event)) return;
    emit(event);
    if (endsBlock(event)) return;
    current = event.block;
    currentStart = event;
  }

  function wait(event: BlockEvent): void {
    const entry = waiting.get(event.block);
    if (entry === undefined) {
      if (startsBlock(event)) waiting.set(event.block, { events: [event], hasEnded: endsBlock(event) });
      return;
    }
    entry.events.push(event);
    if (endsBlock(event)) entry.hasEnded = true;
  }

  /** The open block has ended: the next ones follow, up to one that still goes on. */
  function advance(): void {
    current = -1;
    currentStart = undefined;
    for (const [block, entry] of waiting) {
      waiting.delete(block);
      entry.events.forEach(emit);
      if (entry.hasEnded) continue;
      current = block;
      currentStart = entry.events[0];
      return;
    }
  }

  function close(): void {
    while (currentStart !== undefined) {
      emit(endOf(currentStart));
      advance();
    }
  }

  return { push, close };
}
