import type { ClientRequest } from '../corpus/list-requests';

/** One body that would be sent, with what is known of where it came from. */
export type CheckedBody = {
  readonly types: string;
  readonly providerId: string;
  readonly upstreamModel: string;
  readonly lane: 'express' | 'translated';
  /** Of the first request that made it. */
  readonly request: ClientRequest;
  /** As JSON. */
  readonly text: string;
  /** Where the caller's own body differs from the same types already, if it is in the same dialect. */
  readonly ownPaths: ReadonlySet<string>;
};
