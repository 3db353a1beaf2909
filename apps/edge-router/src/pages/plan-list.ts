import { readCredential, type Authenticator, type ModelGuard, type Principal } from '@weir/access';
import type { EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ModelRecord } from '@weir/model-catalog';
import type { Request } from 'express';
import type { Reach, ReachModels } from './reach-models';

/** About a model, and the aliases and policies by which a request comes to it. */
export type IsShown = (record: ModelRecord, names?: readonly string[]) => boolean;

export type ListPlan = {
  /** Whose list it is; undefined without a key. */
  readonly principal: Principal | undefined;
  readonly reach: Reach;
  /** What inference would take from this caller here. */
  readonly isShown: IsShown;
  /** The list shows models as well whose provider is not set up here. */
  readonly isAll: boolean;
  /** What the list shows. */
  readonly isListed: IsShown;
};

export type ListPlanParts = {
  readonly authenticator: Authenticator;
  readonly guard: Pick<ModelGuard, 'isAllowed'>;
  readonly reach: ReachModels;
};

/** Works out what a list shows its caller. Every key may see lists, also one that may not infer. */
export async function planList(
  request: Pick<Request, 'headers' | 'query'>,
  endpoint: EndpointRow,
  parts: ListPlanParts,
): Promise<ListPlan> {
  const credential = readCredential(request.headers, endpoint.preferredCredential);
  const principal = credential === undefined ? undefined : await parts.authenticator.authenticate(credential);
  const isAll = readAll(request.query['all']);
  const reach = await parts.reach(principal);
  const isAllowed: IsShown = (record, names) =>
    reach.mayHaveData(record) && (principal === undefined || parts.guard.isAllowed(principal, record, names));
  const isShown: IsShown = (record, names) => reach.map.isRoutable(record.provider, record.modality) && isAllowed(record, names);
  return { principal, reach, isShown, isAll, isListed: isAll ? isAllowed : isShown };
}

function readAll(given: unknown): boolean {
  if (given === undefined || given === 'false') return false;
  if (given === 'true') return true;
  throw new GatewayError('invalid_request', 'all must be true or false.', { field: 'all' });
}
