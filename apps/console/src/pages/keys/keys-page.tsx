import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button, EmptyState, Icon, ListExport, Loaded, PageHead, Select, Table, TextField } from '../../design';
import { formatCount } from '../../format/numbers';
import { accessListsQuery, begunKeysQuery, groupsQuery, keysQuery, type Key } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';
import { LimitsDialog } from '../limits/limits-of';
import { ChangeKeyDialog } from './change-key-dialog';
import { CreateKeyDialog } from './create-key-dialog';
import { filterKeys, NONE } from './filter-keys';
import { listKeyColumns, type KeyDialog } from './key-columns';
import { listKeyCsv } from './keys-csv';
import { KEY_STATES, type KeysSearch } from './keys-search';
import { RevokeKeyDialog } from './revoke-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';
import '../administration/administration.css';
import './keys.css';

const route = getRouteApi('/shell/keys');

const STATES: Readonly<Record<(typeof KEY_STATES)[number], string>> = {
  active: 'Active',
  expired: 'Expired',
  expiring: 'Expire within 14 days',
  unlimited: 'Without a limit',
  unused: 'Never used',
};

/** Ten thousand keys take seconds: those that are there can be looked at, and it is said that there are more. */
function useKeys() {
  const keys = useQuery(keysQuery);
  const begun = useQuery(begunKeysQuery).data;
  const isWhole = keys.data !== undefined || keys.error !== null;
  return { keys: isWhole ? keys : { ...keys, data: begun }, isWhole };
}

export function KeysPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const authority = useAuthority();
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const { keys, isWhole } = useKeys();
  const change = (part: Partial<Record<keyof KeysSearch, string | undefined>>): void =>
    void navigate({ search: (old) => ({ ...old, ...part }) as KeysSearch, replace: true });
  const create = authority.canWrite && (
    <Button kind="primary" onClick={() => change({ dialog: 'new' })}>
      <Icon name="plus" size={14} /> New key
    </Button>
  );
  return (
    <>
      <PageHead title="Keys" about="Credentials of programs and people: what each may do, and what it spends." actions={create} />
      <Loaded<readonly Key[]> query={keys}>
        {(all) => <KeyList keys={all} isWhole={isWhole} search={search} change={change} open={setDialog} />}
      </Loaded>
      {search.dialog === 'new' && authority.canWrite && (
        <CreateKeyDialog group={search.group === NONE ? undefined : search.group} onClose={() => change({ dialog: undefined })} />
      )}
      {dialog !== null && <DialogOfKey dialog={dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

type DialogProps = { readonly dialog: KeyDialog; readonly onClose: () => void };

function DialogOfKey({ dialog: { kind, key }, onClose }: DialogProps) {
  if (kind === 'change') return <ChangeKeyDialog apiKey={key} onClose={onClose} />;
  if (kind === 'limits') return <KeyLimits apiKey={key} onClose={onClose} />;
  if (kind === 'rotate') return <RotateKeyDialog apiKey={key} onClose={onClose} />;
  return <RevokeKeyDialog apiKey={key} onClose={onClose} />;
}

function KeyLimits({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const { id, name, labels, group, created_by: owner } = apiKey;
  const groups = useQuery(groupsQuery).data;
  const groupLabels = groups?.find((one) => one.id === group?.id)?.labels;
  const of = { keyId: id, keyLabels: labels, groupId: group?.id, groupLabels, memberId: owner?.id };
  return <LimitsDialog title={`Limits of “${name}”`} of={of} onClose={onClose} />;
}

type KeyListProps = {
  readonly keys: readonly Key[];
  /** False while more of them are read. */
  readonly isWhole: boolean;
  readonly search: KeysSearch;
  readonly change: (part: Partial<Record<keyof KeysSearch, string | undefined>>) => void;
  readonly open: (dialog: KeyDialog) => void;
};

function KeyList({ keys, isWhole, search, change, open }: KeyListProps) {
  const authority = useAuthority();
  const groups = useNames(useQuery({ ...groupsQuery, enabled: authority.seesGroups }).data);
  const accessLists = useNames(useQuery({ ...accessListsQuery, enabled: authority.seesAll }).data);
  const [nowMs] = useState(() => Date.now());
  const found = useMemo(() => filterKeys(keys, search, { groups, nowMs }), [keys, search, groups, nowMs]);
  const columns = listKeyColumns({ groups, accessLists, authority, open });
  const isFiltered = found.length < keys.length;
  const clear = (
    <Button onClick={() => change({ search: undefined, group: undefined, member: undefined, state: undefined })}>Show all</Button>
  );
  const none =
    keys.length === 0 ? (
      <EmptyState title="No keys yet" text="A key lets a program use models, within the limits you give it." />
    ) : (
      <EmptyState title="No key fits" text="None of the keys fits what is searched for." action={clear} />
    );
  return (
    <>
      <KeyFilters keys={keys} groups={groups} search={search} change={change} />
      <div className="panel">
        <Table label="Keys" columns={columns} rows={found} rowKey={({ id }) => id} empty={none} />
      </div>
      <div className="spread">
        <p className="quiet" role="status">
          {isFiltered ? `${formatCount(found.length)} of ${formatCount(keys.length)} keys` : `${formatCount(keys.length)} keys`}
          {isWhole ? '' : ' so far, the others are being read'}. Spending is of this calendar month, UTC. Revoked keys are not listed.
        </p>
        {isWhole && <ListExport name="keys" columns={listKeyCsv({ groups, accessLists })} rows={found} />}
      </div>
    </>
  );
}

type FilterProps = Omit<KeyListProps, 'open' | 'isWhole'> & { readonly groups: ReadonlyMap<string, string> };

function KeyFilters({ keys, groups, search, change }: FilterProps) {
  const owners = useMemo(
    () => new Map(keys.flatMap((key) => (key.created_by === null ? [] : [[key.created_by.id, key.created_by.email]]))),
    [keys],
  );
  const toOptions = (names: ReadonlyMap<string, string>): { value: string; label: string }[] =>
    [...names].map(([value, label]) => ({ value, label }));
  const orNothing = (value: string): string | undefined => (value === '' ? undefined : value);
  return (
    <div className="administration-filters">
      <TextField
        label="Search"
        type="search"
        placeholder="Name, characters, label …"
        value={search.search ?? ''}
        onChange={(event) => change({ search: orNothing(event.target.value) })}
      />
      {groups.size > 0 && (
        <Select
          label="Group"
          value={search.group ?? ''}
          options={[{ value: '', label: 'All groups' }, { value: NONE, label: 'No group' }, ...toOptions(groups)]}
          onChange={(group) => change({ group: orNothing(group) })}
        />
      )}
      {owners.size > 1 && (
        <Select
          label="Owner"
          value={search.member ?? ''}
          options={[
            { value: '', label: 'All owners' },
            { value: NONE, label: 'The organization' },
            ...toOptions(owners as Map<string, string>),
          ]}
          onChange={(member) => change({ member: orNothing(member) })}
        />
      )}
      <Select
        label="State"
        value={search.state ?? ''}
        options={[{ value: '', label: 'Any state' }, ...KEY_STATES.map((value) => ({ value, label: STATES[value] }))]}
        onChange={(state) => change({ state: orNothing(state) })}
      />
    </div>
  );
}

function useNames(rows: readonly { readonly id: string; readonly name: string }[] | undefined): ReadonlyMap<string, string> {
  return useMemo(() => new Map((rows ?? []).map(({ id, name }) => [id, name])), [rows]);
}
