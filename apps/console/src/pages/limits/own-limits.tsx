import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api';
import { EmptyState, Loaded, LoadingState, PageHead, Select, Table, Time } from '../../design';
import { keysQuery, type Key } from '../administration/lists';
import { ListFoot } from '../administration/parts';
import { listOwnLimitColumns } from './own-limit-columns';
import { listOwnKeys, listOwnLimitCsv } from './own-limit-words';
import { bindingLimitsQuery } from './limits-queries';
import '../administration/administration.css';
import './limits.css';

type OwnLimitsProps = { readonly keyId: string | undefined; readonly onKey: (keyId: string | undefined) => void };

/** For those who do not administer the organization: what binds requests of their own keys, administrators' limits and settings alike. */
export function OwnLimits({ keyId, onKey }: OwnLimitsProps) {
  const { key, member, permissions } = useSession();
  const keys = useQuery({ ...keysQuery, enabled: member !== null && permissions.manage !== 'none' });
  const choices = listOwnKeys(keys.data ?? NO_KEYS, { key, memberId: member?.id });
  const chosen = choices.find(({ id }) => id === keyId) ?? key;
  const limits = useQuery(bindingLimitsQuery(chosen.id));
  return (
    <>
      <PageHead title="Limits" about="What the requests of a key have to fit now, and how full it is." />
      {choices.length > 1 && (
        <div className="administration-filters">
          <Select
            label="Key"
            value={chosen.id}
            options={choices.map(({ id, name }) => ({ value: id, label: id === key.id ? `${name} (signed in with)` : name }))}
            onChange={(id) => onKey(id === key.id ? undefined : id)}
          />
        </div>
      )}
      <Loaded query={limits} loading={<LoadingState lines={5} />}>
        {({ as_of: asOf, limits: rows }) => (
          <>
            <div className="panel">
              <Table
                label="Limits"
                columns={listOwnLimitColumns()}
                rows={rows}
                rowKey={({ id, name }) => id ?? name}
                empty={
                  <EmptyState
                    title="Nothing limits this key"
                    text="Its requests are bound by no limit that counts money, tokens or requests."
                  />
                }
              />
            </div>
            <ListFoot name="limits" shown={rows} all={rows} columns={listOwnLimitCsv()} />
            <p className="quiet">
              As of <Time at={asOf} />, requests that run included. Limits for each end user apart, whom requests name, are not among them.
            </p>
          </>
        )}
      </Loaded>
    </>
  );
}

const NO_KEYS: readonly Key[] = [];
