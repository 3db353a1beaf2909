import type { UsageEvent } from '@weir/contracts';
import type { GenerationNames, GenerationPage, GenerationQuery } from '../generations/generation-query';

/** Where what became of requests is read; throws when the store cannot be reached. */
export type GenerationReader = {
  /**
   * The events of a request's attempts, in order, and then what has corrected their cost; none for a request that is unknown,
   * another organization's or too old.
   */
  findEvents(organizationId: string, requestId: string): Promise<readonly UsageEvent[]>;
  /** Of what an event of the organization has the ids of. */
  findNames(event: UsageEvent): Promise<GenerationNames>;
  /** A page of requests, newest first. Throws `invalid_request` for a mark that is not of this store. */
  listGenerations(query: GenerationQuery): Promise<GenerationPage>;
};
