import type { ConfigurationKind } from '@weir/configuration';
import { createAccessList } from '../../routes/access-lists/create-access-list.route';
import { deleteAccessList } from '../../routes/access-lists/delete-access-list.route';
import { updateAccessList } from '../../routes/access-lists/update-access-list.route';
import { createAlias } from '../../routes/aliases/create-alias.route';
import { deleteAlias } from '../../routes/aliases/delete-alias.route';
import { replaceAlias } from '../../routes/aliases/replace-alias.route';
import { createGuardrail } from '../../routes/guardrails/create-guardrail.route';
import { deleteGuardrail } from '../../routes/guardrails/delete-guardrail.route';
import { replaceGuardrail } from '../../routes/guardrails/replace-guardrail.route';
import { createLimit } from '../../routes/limits/create-limit.route';
import { deleteLimit } from '../../routes/limits/delete-limit.route';
import { replaceLimit } from '../../routes/limits/replace-limit.route';
import { createPolicy } from '../../routes/policies/create-policy.route';
import { deletePolicy } from '../../routes/policies/delete-policy.route';
import { replacePolicy } from '../../routes/policies/replace-policy.route';
import type { Route } from '../../route/route';
import { callRoute, idOf, withIds, type KindSteps } from './carry-out';

const REFERENCES: Readonly<Record<string, readonly [string, ConfigurationKind]>> = {
  key: ['api_key_id', 'key'],
  group: ['group_id', 'group'],
  member: ['member_id', 'member'],
};

type RuleRoutes = { readonly create: Route; readonly replace: Route; readonly remove: Route };

/** Objects that are written whole, and known to the interface by name or by id. */
function defineSteps({ create, replace, remove }: RuleRoutes, isNamed: boolean): KindSteps {
  const paramsOf = (step: Parameters<KindSteps['update']>[0]): Record<string, string> =>
    isNamed ? { name: step.name } : { id: idOf(step) };
  return {
    create: async (step, tools) => {
      const { id } = await callRoute(tools, create, { body: withIds(step.fields, REFERENCES, tools) });
      return { id: isNamed ? await findRuleId(step, tools) : String(id) };
    },
    update: async (step, tools) =>
      void (await callRoute(tools, replace, { params: paramsOf(step), body: withIds(step.fields, REFERENCES, tools) })),
    remove: async (step, tools) => void (await callRoute(tools, remove, { params: paramsOf(step) })),
  };
}

/** The interface knows policies and aliases by name; what looks after them keeps their ids. */
const findRuleId = async (
  { kind, name }: Parameters<KindSteps['create']>[0],
  { parts, call }: Parameters<KindSteps['create']>[1],
): Promise<string> => {
  const { organizationId } = call;
  const own = parts.database.asOrganization(organizationId);
  return (await own.transact((tx) => tx.organizationRule.findFirstOrThrow({ where: { organizationId, kind, name }, select: { id: true } })))
    .id;
};

export const policySteps = defineSteps({ create: createPolicy, replace: replacePolicy, remove: deletePolicy }, true);
export const aliasSteps = defineSteps({ create: createAlias, replace: replaceAlias, remove: deleteAlias }, true);
export const accessListSteps = defineSteps({ create: createAccessList, replace: updateAccessList, remove: deleteAccessList }, false);
export const guardrailSteps = defineSteps({ create: createGuardrail, replace: replaceGuardrail, remove: deleteGuardrail }, false);
export const limitSteps = defineSteps({ create: createLimit, replace: replaceLimit, remove: deleteLimit }, false);
