import type { ConfigurationKind, Step } from '@weir/configuration';
import { createApiKey } from '../../routes/api-keys/create-api-key.route';
import { revokeApiKey } from '../../routes/api-keys/revoke-api-key.route';
import { setApiKeyAccessList } from '../../routes/api-keys/set-api-key-access-list.route';
import { setApiKeyExpiry } from '../../routes/api-keys/set-api-key-expiry.route';
import { setApiKeyGroup } from '../../routes/api-keys/set-api-key-group.route';
import { setApiKeyLabels } from '../../routes/api-keys/set-api-key-labels.route';
import { setApiKeyLimit } from '../../routes/api-keys/set-api-key-limit.route';
import { setApiKeyPriority } from '../../routes/api-keys/set-api-key-priority.route';
import { callForFields, callRoute, idOf, withIds, type KindSteps } from './carry-out';

const REFERENCES: Readonly<Record<string, readonly [string, ConfigurationKind]>> = {
  member: ['member_id', 'member'],
  group: ['group_id', 'group'],
  access_list: ['access_list_id', 'access_list'],
};

/** Keys get their secrets here, which the reply shows once. */
export const keySteps: KindSteps = {
  create: async (step, tools) => {
    const { api_key_id: id, api_key: secret } = await callRoute(tools, createApiKey, { body: withIds(step.fields, REFERENCES, tools) });
    return { id: String(id), secret: String(secret) };
  },
  update: async (step, tools) => {
    const params = { id: idOf(step) };
    const only = (field: string) => ({ params, body: withIds({ [field]: step.fields[field] }, REFERENCES, tools) });
    await callForFields(step, [
      ['monthly_limit', () => callRoute(tools, setApiKeyLimit, only('monthly_limit'))],
      ['labels', () => callRoute(tools, setApiKeyLabels, only('labels'))],
      ['group', () => callRoute(tools, setApiKeyGroup, only('group'))],
      ['access_list', () => callRoute(tools, setApiKeyAccessList, only('access_list'))],
      ['expires_at', () => callRoute(tools, setApiKeyExpiry, only('expires_at'))],
      ['priority', () => callRoute(tools, setApiKeyPriority, only('priority'))],
      ['share', () => callRoute(tools, setApiKeyPriority, only('share'))],
    ]);
  },
  remove: async (step: Step, tools) => void (await callRoute(tools, revokeApiKey, { params: { id: idOf(step) } })),
};
