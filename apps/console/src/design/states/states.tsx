import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../../api/api-error';
import { Button } from '../controls/button';
import { Icon } from '../icons';
import './states.css';

type StateProps = { readonly title: string; readonly text?: ReactNode; readonly action?: ReactNode };

/** Says that there is nothing, and what would make something. */
export function EmptyState({ title, text, action }: StateProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {text !== undefined && <p className="state-text">{text}</p>}
      {action}
    </div>
  );
}

export function LoadingState({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="skeleton-line" />
      ))}
    </div>
  );
}

type ErrorStateProps = { readonly error: unknown; readonly onRetry?: () => void };

/** What the gateway said; 403 and 404 are states of their own, because another try does not help. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { status, message, requestId } = toApiError(error);
  if (status === 403) return <EmptyState title="Your key does not allow this" text={message} />;
  if (status === 404) return <EmptyState title="This is not there" text={message} />;
  const text = (
    <>
      {message}
      {requestId !== undefined && (
        <>
          <br />
          Request <code>{requestId}</code>
        </>
      )}
    </>
  );
  return (
    <div role="alert">
      <EmptyState title="This could not be loaded" text={text} action={onRetry && <Button onClick={onRetry}>Try again</Button>} />
    </div>
  );
}

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** The states of one query. What was loaded before stays in sight while it is loaded again. */
export function Loaded<Data>({ query, loading, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return loading ?? <LoadingState />;
}

type NoticeProps = { readonly kind?: 'normal' | 'warn' | 'bad'; readonly children: ReactNode };

/** A sentence about what is on the page. */
export function Notice({ kind = 'normal', children }: NoticeProps) {
  return (
    <div className={kind === 'normal' ? 'notice' : `notice notice-${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      {kind !== 'normal' && <Icon name="warning" />}
      <div>{children}</div>
    </div>
  );
}

/** A word for a state: active, revoked, error. */
export function Badge({ kind = 'normal', children }: { readonly kind?: 'normal' | 'good' | 'warn' | 'bad'; readonly children: ReactNode }) {
  return <span className={kind === 'normal' ? 'badge' : `badge badge-${kind}`}>{children}</span>;
}
