import type { EndpointRow, PolicyDocument } from '@weir/contracts';
import type { ModelRecord } from '@weir/model-catalog';
import { NO_ROUTES, POLICY_PREFIX, readRoutes, type OrganizationRoutes } from '@weir/routing';
import type { RequestHandler } from 'express';
import { findCaller, planList, type ListModelsParts } from './list-models';

type ShownPolicy = {
  readonly name: string;
  readonly owner: 'organization' | 'weir';
  readonly description: string | null;
  readonly document: PolicyDocument;
};

type Listing = {
  readonly routes: OrganizationRoutes;
  readonly managed: ReadonlyMap<string, PolicyDocument>;
  readonly findModel: (id: string) => ModelRecord | undefined;
  readonly isShown: (record: ModelRecord) => boolean;
  /** Policies that were looked at, for they may name one another many times over; one that is being looked at is no use to itself. */
  readonly usable: Map<string, boolean>;
};

/**
 * `GET /v1/models/managed`: policies with their chain. With a key those of its organization, unusable members marked, and
 * the built-in ones as far as this key can use them; without a key the built-in ones.
 */
export function createListPolicies(endpoint: EndpointRow, parts: ListModelsParts): RequestHandler {
  const managed = new Map(parts.managed.map(({ name, document }) => [name, document]));
  return async (request, response) => {
    const principal = await findCaller(request.headers, endpoint, parts.authenticator);
    const routes = principal === undefined ? NO_ROUTES : readRoutes(await parts.rules.find(principal.key));
    const listing: Listing = {
      routes,
      managed,
      findModel: (id) => parts.catalog.find(id),
      isShown: await planList(principal, parts),
      usable: new Map(),
    };
    const own = [...routes.policies].map(([name, document]): ShownPolicy => ({ name, document, owner: 'organization', description: null }));
    const builtIn = parts.managed
      .filter(({ name }) => !routes.policies.has(name))
      .map((policy): ShownPolicy => ({ ...policy, owner: 'weir' }));
    const usable = builtIn.filter(({ document }) => document.models.some(({ model }) => isUsable(model, listing)));
    response.json({ object: 'list', data: [...own, ...usable].map((policy) => encodePolicy(policy, listing)) });
  };
}

function encodePolicy({ name, owner, description, document }: ShownPolicy, listing: Listing): object {
  const members = document.models.map(({ model, weight, retries }) => ({
    model,
    weight,
    retries,
    available: isUsable(model, listing),
  }));
  return {
    id: `${POLICY_PREFIX}${name}`,
    object: 'model',
    api: 'chat',
    created: 0,
    owned_by: owner,
    description: description ?? undefined,
    strategy: document.strategy,
    sticky_by: document.sticky_by,
    // What is built in is shown as far as it is of use.
    chain: owner === 'weir' ? members.filter(({ available }) => available) : members,
  };
}

/** Whether a member leads to a model that this caller can use. */
function isUsable(model: string, listing: Listing): boolean {
  const known = listing.usable.get(model);
  if (known !== undefined) return known;
  if (!model.startsWith(POLICY_PREFIX)) {
    const record = listing.findModel(model);
    return record !== undefined && record.modality === 'chat' && listing.isShown(record);
  }
  listing.usable.set(model, false);
  const name = model.slice(POLICY_PREFIX.length);
  const document = listing.routes.policies.get(name) ?? listing.managed.get(name);
  const isOfUse = document?.models.some((member) => isUsable(member.model, listing)) === true;
  listing.usable.set(model, isOfUse);
  return isOfUse;
}
