import { invariant } from '@weir/errors';

/**
 * The states of a request at a worker, and what may follow each:
 *
 * | state | what was taken for it | what its release does |
 * |---|---|---|
 * | arrived | the hold that its edge took | settles the hold at nothing |
 * | begun | its free slot too | the same, and gives the slot back |
 * | sent | at least one attempt is in the journal | settles the hold by what closed attempts cost, once that is durable; one that is open settles it when it closes |
 * | released | nothing | may not happen again |
 */
const MAY_FOLLOW = {
  arrived: ['begun', 'released'],
  begun: ['sent', 'released'],
  sent: ['sent', 'released'],
  released: [],
} as const satisfies Record<string, readonly string[]>;

export type RunState = keyof typeof MAY_FOLLOW;

/** Throws for a step that no request may take: sending after its money was given back, or giving that back twice. */
export function enterState(from: RunState, to: RunState): RunState {
  invariant((MAY_FOLLOW[from] as readonly RunState[]).includes(to), `a request that is ${from} cannot be ${to}`);
  return to;
}
