import type { Command } from './command';
import { readYesOrNo } from './read-yes-or-no';

export const recoverKey: Command = {
  words: 'key recover',
  summary: 'Makes a new administrator key, which is shown only now, in place of one whose value was lost, which is revoked.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'whose key it is; the organization of the first start unless given' },
    { name: 'keep', value: 'yes|no', meaning: 'whether the lost key stays in force; no unless given' },
  ],
  run: async (given, { open }) => {
    const keepsLost = readYesOrNo(given, 'keep');
    const { actions } = await open();
    const made = await actions.recoverKey({ organizationId: given.options['organization'], keepsLost });
    return {
      organization_id: made.organizationId,
      api_key_id: made.apiKeyId,
      api_key: made.apiKey,
      revoked_api_key_ids: made.revokedApiKeyIds,
    };
  },
};
