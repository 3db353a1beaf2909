/** Where something was seen. */
export type Place =
  'call' | 'response-head' | 'response-body' | 'event' | 'generation' | 'log' | 'rollup' | 'spend' | 'ledger' | 'counts' | 'metric';

/** Something that was seen of one gateway: as text, one line for each thing that can differ by itself. */
export type Sight = {
  /** The request it belongs to, or what it is of the whole run. */
  readonly subject: string;
  readonly place: Place;
  readonly text: string;
  /** Its lines are in no order. */
  readonly isSet?: boolean;
};
