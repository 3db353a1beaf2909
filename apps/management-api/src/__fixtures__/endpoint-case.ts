import type { Maker } from './maker';

export type EndpointCase = {
  /** The row of the endpoint table. */
  readonly id: string;
  readonly status: number;
  /** Values for the path's parameters. */
  readonly params?: (make: Maker) => Promise<Record<string, string>>;
  readonly query?: string;
  readonly body?: (make: Maker) => Promise<object>;
  /** Part of the response. */
  readonly response?: object;
  /** Bodies (or queries, for a GET) that are refused, each with the field that must be named. */
  readonly refused?: readonly { body?: unknown; query?: string; field?: string }[];
  /** What is well formed and yet cannot be, as things stand. */
  readonly conflicts?: readonly ((make: Maker) => Promise<{ params?: Record<string, string>; body?: object }>)[];
  /** What names something of another organization in its body; everything else in it is ours. */
  readonly foreign?: readonly ((make: Maker, elsewhere: Maker) => Promise<{ params?: Record<string, string>; body: object }>)[];
};
