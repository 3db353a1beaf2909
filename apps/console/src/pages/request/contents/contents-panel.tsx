import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { api, unwrap, useSession } from '../../../api';
import { Button, Loaded, LoadingState, Notice } from '../../../design';
import { organizationQuery } from '../../administration/lists';
import { useAuthority } from '../../administration/use-authority';
import type { Generation } from '../request-page';
import { ContentsView } from './contents-view';
import './contents.css';

type ContentsPanelProps = { readonly generation: Pick<Generation, 'id' | 'endpoint'> };

/** What was sent and returned, for those who may read it, once they ask for it: each reading is in the audit log. */
export function ContentsPanel({ generation }: ContentsPanelProps) {
  const { permissions } = useSession();
  return (
    <section className="panel" aria-labelledby="request-contents">
      <div className="panel-body stack">
        <h2 id="request-contents">Contents</h2>
        {permissions.contents === 'read' ? <Contents generation={generation} /> : <NoPermission />}
      </div>
    </section>
  );
}

function Contents({ generation: { id, endpoint } }: ContentsPanelProps) {
  const [isAsked, setAsked] = useState(false);
  const contents = useQuery({
    queryKey: ['contents', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/manage/generation/{request_id}/content', { params: { path: { request_id: id } }, signal })),
    enabled: isAsked,
    // Each asking is noted as a reading: only a person asks again.
    ...{ staleTime: Infinity, gcTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  if (!isAsked)
    return (
      <>
        <Setting />
        <div className="row">
          <Button onClick={() => setAsked(true)}>Show what was sent and returned</Button>
          <span className="quiet">Reading it is noted in the audit log.</span>
        </div>
      </>
    );
  return (
    <Loaded query={contents} loading={<LoadingState lines={6} />}>
      {(kept) => <ContentsView endpoint={endpoint} contents={kept} />}
    </Loaded>
  );
}

function NoPermission() {
  return (
    <>
      <Setting />
      <p className="quiet">
        Contents of requests are shown to keys with the permission <code>contents: read</code>, which this one does not have. An
        administrator of the organization can make one; sign in with that.
      </p>
    </>
  );
}

/** Whether anything is kept, as far as the caller may know. */
function Setting(): ReactNode {
  const { seesAll } = useAuthority();
  const organization = useQuery({ ...organizationQuery, enabled: seesAll });
  const settings = organization.data;
  if (settings === undefined) return null;
  if (settings.zero_data_retention)
    return <Notice>The organization is under zero data retention: contents of its requests are not kept.</Notice>;
  if (settings.keep_contents_days === null)
    return (
      <Notice>
        Contents of requests are not kept. An administrator of the organization can have them kept for some days, sealed, by its{' '}
        <Link to="/rules" search={{ tab: 'data' }}>
          data rules
        </Link>
        .
      </Notice>
    );
  return null;
}
