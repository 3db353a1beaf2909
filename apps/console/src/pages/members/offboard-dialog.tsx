import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, explain, unwrap, useSession } from '../../api';
import { ConfirmDialog, Loaded, Notice, showToast } from '../../design';
import { groupsQuery, keysQuery, type GroupDetail, type Member } from '../administration/lists';
import { planOffboarding, type Offboarding } from './plan-offboarding';

const AT_ONCE = 6;
const SHOWN = 8;

export function OffboardDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { member: self } = useSession();
  const plan = useQuery({
    queryKey: ['members', 'offboarding', member.user_id],
    queryFn: async ({ signal }) => {
      const keys = await client.fetchQuery({ ...keysQuery, staleTime: 0 });
      return planOffboarding(
        member,
        keys,
        await readGroups(
          (await client.fetchQuery({ ...groupsQuery, staleTime: 0 })).map(({ id }) => id),
          signal,
        ),
      );
    },
    staleTime: 0,
  });
  const offboard = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/manage/org/member/{id}', { params: { path: { id: member.user_id } } })),
    onSuccess: () => {
      showToast({ text: `${member.user_email} has left the organization.` });
      onClose();
      for (const kind of ['members', 'keys', 'groups']) void client.invalidateQueries({ queryKey: [kind] });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Offboard ${member.user_email}?`}
      action="Offboard"
      isBusy={offboard.isPending || plan.isPending}
      error={offboard.error === null ? undefined : explain(offboard.error)}
      onConfirm={() => offboard.mutate()}
    >
      <Loaded query={plan}>{(found) => <Preview plan={found} />}</Loaded>
      {self?.id === member.user_id && <Notice kind="warn">This is you: you will be signed out, and cannot come back by yourself.</Notice>}
    </ConfirmDialog>
  );
}

/** Who is in a group is said by the group alone; a few at a time, so that many groups are no burst of requests. */
async function readGroups(ids: readonly string[], signal: AbortSignal): Promise<GroupDetail[]> {
  const groups: GroupDetail[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids
      .slice(start, start + AT_ONCE)
      .map((id) => unwrap(api.GET('/v1/manage/group/{id}', { params: { path: { id } }, signal })));
    groups.push(...(await Promise.all(some)).map(({ group }) => group));
  }
  return groups;
}

function Preview({ plan }: { readonly plan: Offboarding }) {
  const { keys, groups, administers } = plan;
  return (
    <>
      <p>Within five seconds, and for ever:</p>
      <ul className="administration-list">
        <li>
          {keys.length === 0
            ? 'They have no keys; sessions they have open end.'
            : `${count(keys.length, 'key')} of theirs, and their sessions, are revoked:`}
          <Names names={keys.map(({ name, last4 }) => `${name} (… ${last4})`)} />
        </li>
        <li>
          {groups.length === 0 ? 'They are in no group.' : `They leave ${count(groups.length, 'group')}:`}
          <Names names={groups.map(({ name }) => name)} />
        </li>
        {administers && <li>The organization has one administrator less. The last one cannot leave.</li>}
        <li>Their membership ends, at the identity provider too.</li>
      </ul>
      <p className="quiet">What they used stays in usage and in the books. Programs that use one of these keys stop working.</p>
    </>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const rest = names.length - SHOWN;
  return (
    <span>
      {' '}
      <strong>{names.slice(0, SHOWN).join(', ')}</strong>
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
