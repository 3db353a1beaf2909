import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap } from '../../api';
import { Button, ConfirmDialog, Notice, showToast } from '../../design';
import { organizationQuery, type BudgetMode } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';

const OTHER = { global: 'group', group: 'global' } as const;
const NAMES = { global: 'Global mode', group: 'Group Budget mode' } as const;
const ABOUT = {
  global: 'A group’s limit is what each of its members may spend a month. A group as a whole has no budget.',
  group: 'A group has a budget that all of its keys share, and a budget for each of its members.',
} as const;
const SWITCH = {
  group:
    'Limits that groups have now stop holding, until you set budgets; limits of single members hold until a budget replaces them. Limits of keys stay as they are.',
  global: 'Budgets of groups stop holding, and each group’s limit for members holds again. Limits of keys stay as they are.',
} as const;

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
          <strong>{NAMES[mode]}.</strong> {ABOUT[mode]}
        </span>
        {canAdminister && <Button onClick={() => setAsking(true)}>Switch to {NAMES[OTHER[mode]]} …</Button>}
      </div>
      {isAsking && <SwitchDialog to={OTHER[mode]} onClose={() => setAsking(false)} />}
    </Notice>
  );
}

function SwitchDialog({ to, onClose }: { readonly to: BudgetMode; readonly onClose: () => void }) {
  const client = useQueryClient();
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
        This is for all groups of the organization, from now on. {SWITCH[to]} What was set in the other mode is kept, for when you switch
        back.
      </p>
    </ConfirmDialog>
  );
}
