import type { EndpointRow, PolicyDocument } from '@weir/contracts';
import type { ModelRecord } from '@weir/model-catalog';
import { POLICY_PREFIX, type OrganizationRoutes } from '@weir/routing';
import type { RequestHandler } from 'express';
import type { ListModelsParts } from './list-models';
import { planList, type IsShown } from './plan-list';

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
  readonly isShown: IsShown;
  /** Also what is of no use to this caller. */
  readonly isAll: boolean;
  /** Policies that were looked at, for they may name one another many times over; one that is being looked at is no use to itself. */
  readonly usable: Map<string, boolean>;
};

/**
 * `GET /v1/models/managed`: policies with their chain. With a key those of its organization, unusable members marked, and
 * the built-in ones as far as this key can use them; without a key the built-in ones as far as this gateway can route them.
 * `?all=true` shows the rest of the built-in ones.
 */
export function createListPolicies(endpoint: EndpointRow, parts: ListModelsParts): RequestHandler {
  const managed = new Map(parts.managed.map(({ name, document }) => [name, document]));
  return async (request, response) => {
    const { isShown, isAll, reach } = await planList(request, endpoint, parts);
    const { routes } = reach;
    const listing: Listing = {
      routes,
      managed,
      findModel: (id) => parts.catalog.find(id),
      isShown,
      isAll,
      usable: new Map(),
    };
    const own = [...routes.policies].map(([name, document]): ShownPolicy => ({ name, document, owner: 'organization', description: null }));
    const builtIn = parts.managed
      .filter(({ name }) => !routes.policies.has(name))
      .map((policy): ShownPolicy => ({ ...policy, owner: 'weir' }));
    const usable = builtIn.filter(({ name, document }) => isAll || isAnyUsable(document, POLICY_PREFIX + name, listing));
    response.json({ object: 'list', data: [...own, ...usable].map((policy) => encodePolicy(policy, listing)) });
  };
}

function encodePolicy({ name, owner, description, document }: ShownPolicy, listing: Listing): object {
  const id = `${POLICY_PREFIX}${name}`;
  const members = document.models.map(({ model, weight, retries }) => ({
    model,
    weight,
    retries,
    available: isUsable(model, [id], listing),
  }));
  return {
    id,
    object: 'model',
    api: 'chat',
    created: 0,
    owned_by: owner,
    description: description ?? undefined,
    strategy: document.strategy,
    sticky_by: document.sticky_by,
    first_content_ms: document.first_content_ms,
    idle_ms: document.idle_ms,
    // What is built in is shown as far as it is of use.
    chain: owner === 'weir' && !listing.isAll ? members.filter(({ available }) => available) : members,
  };
}

function isAnyUsable({ models }: PolicyDocument, policyId: string, listing: Listing): boolean {
  return models.some(({ model }) => isUsable(model, [policyId], listing));
}

/** Whether a member leads to a model that this caller can use, when it asks for the first of the policies; the last one holds the member. */
function isUsable(model: string, policyIds: readonly string[], listing: Listing): boolean {
  if (!model.startsWith(POLICY_PREFIX)) {
    const record = listing.findModel(model);
    return record !== undefined && record.modality === 'chat' && listing.isShown(record, policyIds);
  }
  const asked = policyIds.slice(0, 1);
  const key = `${asked.join('')} ${model}`;
  const known = listing.usable.get(key);
  if (known !== undefined) return known;
  listing.usable.set(key, false);
  const name = model.slice(POLICY_PREFIX.length);
  const document = listing.routes.policies.get(name) ?? listing.managed.get(name);
  const isOfUse = document?.models.some((member) => isUsable(member.model, [...asked, model], listing)) === true;
  listing.usable.set(key, isOfUse);
  return isOfUse;
}
