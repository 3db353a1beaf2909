import { readCredential, type Authenticator, type KeyLookup } from '@weir/access';
import { getEndpoint } from '@weir/contracts';
import { readBody } from '@weir/http-server';
import type { RouteHealth } from '@weir/routing';
import type { Express } from 'express';
import type { DecidingParts } from '../admit/decide-request';
import { checkMediaType } from '../admit/check-media-type';
import { describePlan } from './describe-plan';
import { findPlannedKey } from './find-planned-key';
import { planRequest } from './plan-request';
import { readPlanBody } from './read-plan-body';

export type PlanPageParts = {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly keys: KeyLookup;
  readonly deciding: DecidingParts;
  /** What this process goes by when it sends requests; absent: nothing. */
  readonly health?: Pick<RouteHealth, 'look' | 'latencyOf'> | undefined;
  readonly bodyBytesMax: number;
};

/**
 * `POST /v1/plan`: what would become of a request now. It is made by the process that would admit the request, with the code
 * that admits requests; nothing is sent to a provider, set aside, counted or kept.
 */
export function mountPlanPage(app: Express, parts: PlanPageParts): void {
  const endpoint = getEndpoint('plan');
  app.post(endpoint.path, async (request, response) => {
    const caller = await parts.authenticator.authenticate(readCredential(request.headers, endpoint.preferredCredential));
    checkMediaType(request.headers);
    const asked = await readPlanBody(await readBody(request, parts.bodyBytesMax));
    const key = await findPlannedKey(caller, asked.apiKeyId, parts.keys);
    const atMs = parts.deciding.now();
    const planned = await planRequest({ key, ...asked, atMs }, parts.deciding);
    response.setHeader('cache-control', 'no-store');
    response.json(describePlan(planned, parts.health));
  });
}
