import type { ChatEvent } from '@weir/canonical';

/** The events that belong to one block. */
export type BlockEvent = Extract<ChatEvent, { block: number }>;

/** The event that ends a block, by the one that started it. */
export function endOf(start: BlockEvent): BlockEvent {
  const { choice, block } = start;
  switch (start.type) {
    case 'text-start':
      return { type: 'text-end', choice, block };
    case 'refusal-start':
      return { type: 'refusal-end', choice, block };
    case 'reasoning-start':
      return { type: 'reasoning-end', choice, block };
    case 'web-search-start':
      return { type: 'web-search-end', choice, block, query: start.query, results: [] };
    default:
      return { type: 'tool-call-end', choice, block };
  }
}

export function endsBlock(event: BlockEvent): boolean {
  switch (event.type) {
    case 'text-end':
    case 'refusal-end':
    case 'reasoning-end':
    case 'tool-call-end':
    case 'web-search-end':
    case 'image':
    case 'opaque':
      return true;
    default:
      return false;
  }
}

export function startsBlock(event: BlockEvent): boolean {
  return event.type === 'image' || event.type === 'opaque' || event.type.endsWith('-start');
}
