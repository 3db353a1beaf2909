import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button, Loaded, Menu, Icon, PageHead, Time } from '../../design';
import { accessListsQuery, groupQuery, groupsQuery, keysQuery, type GroupDetail } from '../administration/lists';
import { monthStart } from '../administration/month-start';
import { Labels, SpendBar } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { LimitsOf } from '../limits/limits-of';
import { modeOf, perMemberOf, totalOf } from './budgets';
import { ChangeGroupDialog, ChangeGroupRulesDialog, DeleteGroupDialog } from './group-dialogs';
import { GroupMembers } from './group-members';
import { Bound } from './groups-page';
import './groups.css';

const route = getRouteApi('/shell/groups/$id');

type GroupDialog = 'change' | 'rules' | 'delete' | null;

export function GroupPage() {
  const { id } = route.useParams();
  const group = useQuery(groupQuery(id));
  return <Loaded query={group}>{(found) => <Group group={found} />}</Loaded>;
}

function Group({ group }: { readonly group: GroupDetail }) {
  const { canAdminister, canLead } = useAuthority();
  const [dialog, setDialog] = useState<GroupDialog>(null);
  const close = (): void => setDialog(null);
  const more = (
    <Button className="button-icon" aria-label="More about this group">
      <Icon name="more" />
    </Button>
  );
  const actions = (
    <>
      {canAdminister && <Button onClick={() => setDialog('change')}>Change name and budget</Button>}
      {canLead && <Button onClick={() => setDialog('rules')}>{canAdminister ? 'Labels and access' : 'Labels'}</Button>}
      {canAdminister && (
        <Menu trigger={more} entries={[{ label: 'Delete the group …', onSelect: () => setDialog('delete'), isDanger: true }]} />
      )}
    </>
  );
  const about = (
    <>
      <Link to="/groups">Groups</Link> · made <Time at={group.created_at} form="day" />
    </>
  );
  return (
    <>
      <PageHead title={group.name} about={about} actions={actions} />
      <GroupFacts group={group} />
      <GroupMembers group={group} />
      <GroupLimits group={group} />
      {dialog === 'change' && <ChangeGroupDialog group={group} onClose={close} />}
      {dialog === 'rules' && <ChangeGroupRulesDialog group={group} onClose={close} />}
      {dialog === 'delete' && <DeleteGroupDialog group={group} onClose={close} />}
    </>
  );
}

function GroupLimits({ group: { id, labels } }: { readonly group: GroupDetail }) {
  const { seesAll } = useAuthority();
  if (!seesAll) return null;
  return (
    <section className="panel panel-body stack" aria-labelledby="group-limits">
      <h2 id="group-limits">Limits</h2>
      <LimitsOf of={{ groupId: id, groupLabels: labels }} />
    </section>
  );
}

function GroupFacts({ group }: { readonly group: GroupDetail }) {
  const { seesAll } = useAuthority();
  const keys = useQuery(keysQuery).data?.filter((key) => key.group?.id === group.id).length;
  const lists = useQuery({ ...accessListsQuery, enabled: seesAll }).data;
  const list = group.access_list_id;
  return (
    <section className="panel panel-body" aria-labelledby="group-facts">
      <h2 id="group-facts" className="visually-hidden">
        Budget and rules
      </h2>
      <dl className="groups-facts">
        <BudgetFacts group={group} />
        <dt>Keys</dt>
        <dd>
          <Link to="/keys" search={{ group: group.id }}>
            {keys === undefined ? 'Keys of the group' : `${keys} ${keys === 1 ? 'key' : 'keys'}`}
          </Link>
        </dd>
        <dt>Labels</dt>
        <dd>{Object.keys(group.labels).length === 0 ? <span className="quiet">none</span> : <Labels labels={group.labels} isWhole />}</dd>
        <dt>Access list</dt>
        <dd>{list === null ? <span className="quiet">none</span> : (lists?.find(({ id }) => id === list)?.name ?? list)}</dd>
        <dt>Id</dt>
        <dd className="mono">{group.id}</dd>
      </dl>
    </section>
  );
}

function BudgetFacts({ group }: { readonly group: GroupDetail }) {
  const spend = useQuery(groupsQuery).data?.find(({ id }) => id === group.id)?.monthly_spend;
  const isGroupMode = modeOf(group) === 'group';
  const start = monthStart(new Date());
  const link = (amount: ReactNode): ReactNode => (
    <Link to="/requests" search={{ group_id: [group.id], start }}>
      {amount}
      <span className="visually-hidden">: requests of the group</span>
    </Link>
  );
  return (
    <>
      <dt>Spent this month</dt>
      <dd>{spend !== undefined && <SpendBar spent={spend} limit={totalOf(group)} wrap={link} />}</dd>
      {isGroupMode && (
        <>
          <dt>Budget of the group</dt>
          <dd>
            <Bound limit={totalOf(group)} />
          </dd>
        </>
      )}
      <dt>{isGroupMode ? 'Budget of each member' : 'Limit of each member'}</dt>
      <dd>
        <Bound limit={perMemberOf(group)} />
      </dd>
    </>
  );
}
