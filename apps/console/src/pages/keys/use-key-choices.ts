import { useQuery } from '@tanstack/react-query';
import { accessListsQuery, groupsQuery, membersQuery, organizationQuery, type BudgetMode } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';

type Choice = { readonly value: string; readonly label: string };

export type KeyChoices = {
  readonly groups: readonly Choice[];
  readonly members: readonly Choice[];
  readonly accessLists: readonly Choice[];
  readonly budgetMode: BudgetMode | undefined;
};

/** What a key can be given: only what the session may give is asked for. */
export function useKeyChoices(): KeyChoices {
  const { seesAll, seesGroups } = useAuthority();
  const groups = useQuery({ ...groupsQuery, enabled: seesGroups });
  const members = useQuery({ ...membersQuery, enabled: seesGroups });
  const accessLists = useQuery({ ...accessListsQuery, enabled: seesAll });
  const organization = useQuery({ ...organizationQuery, enabled: seesAll });
  return {
    groups: (groups.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    members: (members.data ?? []).map(({ user_id, user_email }) => ({ value: user_id, label: user_email })),
    accessLists: (accessLists.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    budgetMode: organization.data?.budget_mode,
  };
}
