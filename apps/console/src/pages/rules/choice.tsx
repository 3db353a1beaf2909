import type { ReactNode } from 'react';

/** A visible name above choices that name themselves for screen readers. */
export function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="rules-choice">
      <span className="field-label" aria-hidden="true">
        {label}
      </span>
      <div>{children}</div>
    </div>
  );
}
