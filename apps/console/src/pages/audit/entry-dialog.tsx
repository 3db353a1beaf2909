import { Dialog, EmptyState, LoadingState, Notice, Time } from '../../design';
import { formatCount } from '../../format/numbers';
import { useQuery } from '@tanstack/react-query';
import { api, toApiError, unwrap } from '../../api';
import { nameActor, Narrowing, type Narrow } from './audit-columns';
import { countSame, describeAction, findDifferences, nameTarget, type Entry } from './describe-entry';

type EntryDialogProps = {
  readonly id: string;
  /** Where it is among what is loaded. */
  readonly found: Entry | undefined;
  readonly narrow: Narrow;
  readonly onClose: () => void;
};

/** One change: what was there before, and after. */
export function EntryDialog({ id, found, narrow, onClose }: EntryDialogProps) {
  const one = useQuery({
    queryKey: ['audit', 'one', id],
    // The list from just above it: its first is the one.
    queryFn: async ({ signal }) => {
      const query = { cursor: String(BigInt(id) + 1n), limit: 1 };
      const { audit } = await unwrap(api.GET('/v1/manage/audit', { params: { query }, signal }));
      return audit.find((entry) => entry.id === id) ?? null;
    },
    enabled: found === undefined,
  });
  const entry = found ?? one.data;
  const title = entry === undefined || entry === null ? `Entry ${id}` : `${describeAction(entry.action)}: ${nameTarget(entry)}`;
  return (
    <Dialog isOpen isWide onClose={onClose} title={title}>
      {entry !== undefined && entry !== null && <EntryFacts entry={entry} narrow={narrow} />}
      {entry === null && <EmptyState title="This entry is not there" text="It belongs to another organization, or never was." />}
      {entry === undefined && one.error !== null && <Notice kind="bad">{toApiError(one.error).message}</Notice>}
      {entry === undefined && one.error === null && <LoadingState />}
    </Dialog>
  );
}

function EntryFacts({ entry, narrow }: { readonly entry: Entry; readonly narrow: Narrow }) {
  const { action, actor, target, at, ip, request_id: requestId } = entry;
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    ['What', <Narrowing key="what" text={describeAction(action)} label="Only" onClick={() => narrow('action', action)} />],
    ['When', <Time key="at" at={at} form="second" />],
    [
      'Who',
      <>
        {nameActor(actor)} {actor.id !== null && <code className="quiet">{actor.id}</code>}
      </>,
    ],
    [
      'Of what',
      <>
        {target.kind.replaceAll('-', ' ')} <code className="quiet">{target.id ?? ''}</code>
      </>,
    ],
    ['From', ip ?? 'not noted'],
    ['Request', requestId === null ? 'none' : <code key="request">{requestId}</code>],
    ['Entry', entry.id],
  ];
  return (
    <>
      <dl className="audit-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Differences entry={entry} />
    </>
  );
}

function Differences({ entry }: { readonly entry: Entry }) {
  const differences = findDifferences(entry);
  const same = countSame(entry);
  if (differences.length === 0) return <p className="quiet">Nothing of it is different from before.</p>;
  return (
    <div className="audit-differences" role="region" aria-label="Differences" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">
                <code>{field}</code>
              </th>
              <td className={before === undefined ? 'quiet' : 'audit-before'}>{before === undefined ? '–' : <del>{before}</del>}</td>
              <td className={after === undefined ? 'quiet' : 'audit-after'}>{after === undefined ? '–' : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {same > 0 && (
        <p className="quiet">
          {formatCount(same)} {same === 1 ? 'field is' : 'fields are'} as before.
        </p>
      )}
    </div>
  );
}
