import { defineRoute, noBody, ok, type Route } from '../route/route';
import { cutPage, planPage } from './pages';
import { requireId } from './require-id';
import { describeRule, getRule, listRules, type RuleAddress, type RuleKind } from './rules';

/** A list of all rules of a kind; `name` is that of the list in the response. */
export function defineRuleList({ id, kind, name }: { id: string; kind: RuleKind; name: string }): Route {
  return defineRoute({
    id,
    body: noBody,
    run: async ({ organizationId, query }, { database }) => {
      const plan = planPage(query);
      const found = await database.asOrganization(organizationId).transact((tx) => listRules(tx, { organizationId, kind }, plan));
      const { rows, more } = cutPage(found, plan, (rule) => rule);
      return ok({ [name]: rows.map(describeRule), ...more });
    },
  });
}

export function defineRuleReader(kind: RuleKind): Route {
  return defineRoute({
    id: `read-${kind}`,
    body: noBody,
    run: async ({ params, organizationId }, { database }) => {
      const address = readRuleAddress(kind, params);
      const rule = await database.asOrganization(organizationId).transact((tx) => getRule(tx, organizationId, address));
      return ok({ [kind]: describeRule(rule) });
    },
  });
}

/** Which rule a path names. */
export function readRuleAddress(kind: RuleKind, params: Readonly<Record<string, string>>): RuleAddress {
  return kind === 'guardrail' || kind === 'limit' ? { kind, id: requireId(params['id'], kind) } : { kind, name: params['name'] ?? '' };
}
