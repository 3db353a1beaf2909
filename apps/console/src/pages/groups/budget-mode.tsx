import { Link } from '@tanstack/react-router';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap, type Schemas } from '../../api';
import { Button, ConfirmDialog, Loaded, Notice, showToast } from '../../design';
import { formatCount } from '../../format/numbers';
import { organizationQuery, type BudgetMode } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';

const OTHER = { global: 'group', group: 'global' } as const;
const NAMES = { global: 'Global mode', group: 'Group Budget mode' } as const;
const ABOUT = {
  global: 'A group’s limit is what each of its members may spend a month. A group as a whole has no budget.',
  group: 'A group has a budget that all of its keys share, and a budget for each of its members.',
} as const;
const SWITCH = {
  group: 'What each member of a group may spend goes on, as its budget per member. Limits of keys and those of the table stay as they are.',
  global:
    'What each member of a group may spend goes on, as its limit. A group’s own budget has no place there: make a limit of the table with the scope group first, or take the budget away. Limits of keys and those of the table stay as they are.',
} as const;

type Budgets = NonNullable<Schemas['OrganizationPreview']['budgets']>;
type GroupSwitch = Budgets['groups'][number];

/** Says how budgets work here, and offers the other way. */
export function BudgetModeNotice() {
  const { seesAll, canAdminister } = useAuthority();
  const organization = useQuery({ ...organizationQuery, enabled: seesAll });
  const [isAsking, setAsking] = useState(false);
  const mode = organization.data?.budget_mode;
  if (mode === undefined) return null;
  return (
    <Notice>
      <div className="spread">
        <span>
          <strong>{NAMES[mode]}.</strong> {ABOUT[mode]} A budget of one team needs no other mode: make a <Link to="/limits">limit</Link>{' '}
          with the scope group.
        </span>
        {canAdminister && <Button onClick={() => setAsking(true)}>Switch to {NAMES[OTHER[mode]]} …</Button>}
      </div>
      {isAsking && <SwitchDialog to={OTHER[mode]} onClose={() => setAsking(false)} />}
    </Notice>
  );
}

function SwitchDialog({ to, onClose }: { readonly to: BudgetMode; readonly onClose: () => void }) {
  const client = useQueryClient();
  const preview = useQuery({
    queryKey: ['organization', 'budgets', to],
    queryFn: ({ signal }) => unwrap(api.POST('/v1/manage/org/preview', { body: { budget_mode: to }, signal })),
    select: ({ budgets }) => budgets,
  });
  const change = useMutation({
    mutationFn: () => unwrap(api.PATCH('/v1/manage/org', { body: { budget_mode: to } })),
    onSuccess: async () => {
      await Promise.all([client.invalidateQueries({ queryKey: ['organization'] }), client.invalidateQueries({ queryKey: ['groups'] })]);
      showToast({ text: `The organization is in ${NAMES[to]} now.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Switch to ${NAMES[to]}?`}
      action="Switch"
      isBusy={change.isPending}
      error={change.error === null ? undefined : explain(change.error)}
      onConfirm={() => change.mutate()}
    >
      <p>{ABOUT[to]}</p>
      <p>
        This is for all groups of the organization, from now on. {SWITCH[to]} What was set in that mode before holds again where nothing
        holds now.
      </p>
      <Loaded query={preview}>{(budgets) => <SwitchPreview groups={budgets?.groups ?? []} />}</Loaded>
    </ConfirmDialog>
  );
}

const GROUPS_SHOWN = 20;

/** What becomes of each group that has limits. */
function SwitchPreview({ groups }: { readonly groups: readonly GroupSwitch[] }) {
  if (groups.length === 0) return <p className="quiet">No group has a limit or a budget now, or would have one.</p>;
  return (
    <ul aria-label="What becomes of limits">
      {groups.slice(0, GROUPS_SHOWN).map(({ id, name, before, after, members, obstacle }) => (
        <li key={id}>
          <strong>{name}</strong>: {describeLimits(before)} → {obstacle === null ? describeLimits(after) : obstacle}
          {members.length > 0 && <span className="quiet"> ({formatCount(members.length)} with limits of their own, which hold on)</span>}
        </li>
      ))}
      {groups.length > GROUPS_SHOWN && <li>{formatCount(groups.length - GROUPS_SHOWN)} more groups</li>}
    </ul>
  );
}

function describeLimits({ monthly_limit: limit, monthly_budget: budget, monthly_budget_per_user: perUser }: GroupSwitch['before']): string {
  const amount = (usd: number | undefined): string => (usd === undefined || usd === 0 ? 'no limit' : `${usd} USD`);
  if (limit !== undefined) return `each member ${amount(limit)}`;
  return `the group ${amount(budget)}, each member ${amount(perUser)}`;
}
