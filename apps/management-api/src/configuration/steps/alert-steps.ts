import type { ConfigurationKind, Fields, Step } from '@weir/configuration';
import { createAlert } from '../../routes/alerts/create-alert.route';
import { deleteAlert } from '../../routes/alerts/delete-alert.route';
import { updateAlert } from '../../routes/alerts/update-alert.route';
import { callRoute, idOf, withIds, type KindSteps, type StepTools } from './carry-out';

const REFERENCES: Readonly<Record<string, readonly [string, ConfigurationKind]>> = {
  key: ['api_key_id', 'key'],
  group: ['group_id', 'group'],
  member: ['member_id', 'member'],
  limit: ['limit_id', 'limit'],
};

/** Webhooks get the secret that they are signed with here, which the reply shows once. */
export const alertSteps: KindSteps = {
  create: async (step, tools) => {
    const { id, secret } = await callRoute(tools, createAlert, { body: bodyOf(step, tools) });
    return { id: String(id), ...(typeof secret === 'string' ? { secret } : {}) };
  },
  update: async (step, tools) => void (await callRoute(tools, updateAlert, { params: { id: idOf(step) }, body: bodyOf(step, tools) })),
  remove: async (step, tools) => void (await callRoute(tools, deleteAlert, { params: { id: idOf(step) } })),
};

/** Without its name, which only documents have. */
function bodyOf(step: Step, tools: StepTools): Fields {
  const { name: _, ...fields } = step.fields;
  const secrets = 'url' in fields ? tools.secretsOf(step) : {};
  return withIds({ ...fields, ...secrets }, REFERENCES, tools);
}
