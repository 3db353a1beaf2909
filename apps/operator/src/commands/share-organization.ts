import { UsageError, type Command } from './command';

export const shareOrganization: Command = {
  words: 'organization share',
  summary: 'Sets by which weight an organization takes turns with others where a provider limits all of them.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'whose', isRequired: true },
    { name: 'share', value: 'N', meaning: '1, as every organization at first, to 100', isRequired: true },
  ],
  run: async ({ options }, { open }) => {
    const share = options['share'] ?? '';
    if (!/^\d{1,3}$/.test(share)) throw new UsageError('--share must be a whole number from 1 to 100');
    const { actions } = await open();
    const set = await actions.shareOrganization(options['organization'] ?? '', { share: Number(share) });
    return { organization_id: set.organizationId, share: set.share };
  },
};
