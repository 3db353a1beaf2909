import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Dialog, EmptyState, Loaded, LoadingState } from '../../design';
import { useAuthority } from '../administration/use-authority';
import { LimitAmount, LimitFill } from './limit-fill';
import { listBinding, type Bound } from './list-binding';
import { limitsQuery } from './limits-queries';
import { useLimitNames } from './use-limit-names';
import './limits.css';

/** The limits that bind a key, a group or a member, and how full they are. Nothing for those who may not read them. */
export function LimitsOf({ of }: { readonly of: Bound }) {
  const names = useLimitNames();
  const { seesAll } = useAuthority();
  const limits = useQuery({ ...limitsQuery, enabled: seesAll });
  if (!seesAll) return null;
  return (
    <Loaded query={limits} loading={<LoadingState lines={2} />}>
      {(all) => {
        const binding = listBinding(all, of);
        if (binding.length === 0)
          return <EmptyState title="No limit of the page Limits binds it" action={<Link to="/limits">Limits</Link>} />;
        return (
          <ul className="limits-binding">
            {binding.map(({ limit, isUnknown }) => (
              <li key={limit.id}>
                <span className="spread">
                  <Link to="/limits" search={{ limit: limit.id }}>
                    {limit.name}
                  </Link>
                  <LimitAmount limit={limit} />
                </span>
                {isUnknown ? <span className="quiet">not among the fullest</span> : <LimitFill limit={limit} names={names} />}
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

type LimitsDialogProps = { readonly title: string; readonly of: Bound; readonly onClose: () => void };

export function LimitsDialog({ title, of, onClose }: LimitsDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title={title} about="Those of end users apart, whom requests name, are not among them.">
      <LimitsOf of={of} />
    </Dialog>
  );
}
