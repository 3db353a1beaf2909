import type { Random } from '@weir/chaos';
import type { KeyName } from '../gateways/world';
import type { ReplyMaker } from '../upstream/reply';

/** One request of a caller, and what the provider replies to each call that it leads to. */
export type Request = {
  /** Whose; null sends none. A text that is no name of a key is sent as it is. */
  readonly key: KeyName | null | { readonly literal: string };
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | object;
  readonly replies?: readonly ReplyMaker[];
  /** The caller leaves after so many frames of the response; 0 while it waits for the first byte. */
  readonly leavesAfter?: number;
  /** Pause before this request, where a moment has to pass. Milliseconds. */
  readonly afterMs?: number;
};

/** What a kind may draw on for one group of requests; the mark has to be in every prompt. */
export type Draw = {
  readonly mark: string;
  readonly random: Random;
  /** Counts the groups of this kind. */
  readonly count: number;
};

/** A row of the table: requests that belong together and are sent one after the other. */
export type Kind = {
  readonly id: string;
  readonly make: (draw: Draw) => readonly Request[];
  /** How often it is drawn compared with the others; 1 unless given. */
  readonly weight?: number;
  /** Made at most this often in a run: what it uses up is used up. */
  readonly most?: number;
  /** Other requests at the same time change nothing about it. */
  readonly isIndependent?: boolean;
};
