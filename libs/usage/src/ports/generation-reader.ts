import type { UsageEvent } from '@weir/contracts';

/** Where what became of one request is read; throws when the store cannot be reached. */
export type GenerationReader = {
  /** The events of a request's attempts, in order; none for a request that is unknown, another organization's or too old. */
  findEvents(organizationId: string, requestId: string): Promise<readonly UsageEvent[]>;
};
