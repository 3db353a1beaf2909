import type { Command } from './command';

export const createOrganization: Command = {
  words: 'organization create',
  summary: 'Makes an organization and its first key, which may do everything and is shown only now.',
  options: [
    { name: 'name', value: 'NAME', meaning: 'what it is called', isRequired: true },
    { name: 'email', value: 'ADDRESS', meaning: 'its owner' },
  ],
  run: async ({ options }, { open }) => {
    const { actions } = await open();
    const made = await actions.createOrganization({
      name: options['name'],
      ...(options['email'] === undefined ? {} : { email: options['email'] }),
    });
    return { organization_id: made.organizationId, api_key_id: made.apiKeyId, api_key: made.apiKey };
  },
};
