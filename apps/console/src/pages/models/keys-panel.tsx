import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../api';
import { Loaded, LoadingState } from '../../design';
import { formatCount } from '../../format/numbers';
import { accessListsQuery, groupsQuery, keysQuery } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';
import type { Model } from './filter-models';
import { findKeysFor, listDeciding, type KeysForModel, type Reach } from './keys-for-model';

const SHOWN = 8;

/** Which keys may use a model. Access lists are the administrators', so they alone can be shown it. */
export function KeysPanel({ model }: { readonly model: Model }) {
  const { seesAll } = useAuthority();
  const client = useQueryClient();
  const found = useQuery({
    queryKey: ['keys', 'for-model', model.id],
    enabled: seesAll,
    queryFn: async ({ signal }) => {
      const [keys, groups, lists] = await Promise.all([
        client.fetchQuery(keysQuery),
        client.fetchQuery(groupsQuery),
        client.fetchQuery(accessListsQuery),
      ]);
      const reaches = new Map<string, Reach>();
      for (const id of listDeciding(keys, groups)) {
        const list = lists.find((one) => one.id === id);
        if (list === undefined) continue;
        const { chat, embedding, image, transcription, speech } = list;
        const body = { chat, embedding, image, transcription, speech };
        reaches.set(id, await unwrap(api.POST('/v1/manage/access-list/preview', { body, signal })));
      }
      return findKeysFor(model, keys, { groups, reaches });
    },
  });
  if (!seesAll) return null;
  return (
    <>
      <h3>Keys that may use it</h3>
      <Loaded query={found} loading={<LoadingState lines={1} />}>
        {(keys) => <Found keys={keys} />}
      </Loaded>
    </>
  );
}

function Found({ keys: { may, mayNot } }: { readonly keys: KeysForModel }) {
  const rest = may.length - SHOWN;
  return (
    <p>
      {may.length === 0 && 'None of your keys.'}
      {may.slice(0, SHOWN).map((key, index) => (
        <span key={key.id}>
          {index > 0 && ', '}
          <Link to="/keys" search={{ search: key.id }}>
            {key.name}
          </Link>
        </span>
      ))}
      {rest > 0 && ` and ${formatCount(rest)} more`}
      <span className="quiet">
        {mayNot > 0 && ` · ${formatCount(mayNot)} may not: by an access list, by their permissions, or because they have expired.`}
      </span>
    </p>
  );
}
