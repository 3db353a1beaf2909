import type { ReactNode } from 'react';
import { Notice } from '../../design';
import type { Failure } from './conversation';

type FailureNoticeProps = { readonly failure: Failure; readonly kind?: 'warn' | 'bad'; readonly children?: ReactNode };

/** What went wrong, as the gateway says it. */
export function FailureNotice({ failure: { message, status, code, field }, kind = 'bad', children }: FailureNoticeProps) {
  const facts = [status?.toString(), code, field === undefined ? undefined : `field ${field}`].filter((fact) => fact !== undefined);
  return (
    <Notice kind={kind}>
      {message}
      {facts.length > 0 && <span className="quiet"> ({facts.join(', ')})</span>}
      {children}
    </Notice>
  );
}
