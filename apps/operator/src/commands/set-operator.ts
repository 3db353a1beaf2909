import type { Command } from './command';

export const setOperator: Command = {
  words: 'organization operator',
  summary: 'Makes an organization the operator’s own: its administrators load what holds for all, such as exchange rates.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'which', isRequired: true },
    { name: 'withdraw', meaning: 'makes it one like all others again' },
  ],
  run: async ({ options, flags }, { open }) => {
    const { actions } = await open();
    const set = await actions.setOperator(options['organization'] ?? '', !flags.has('withdraw'));
    return { organization_id: set.organizationId, is_operator: set.isOperator };
  },
};
