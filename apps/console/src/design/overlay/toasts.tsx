import { useSyncExternalStore } from 'react';
import { IconButton } from '../controls/button';
import { Icon } from '../icons';
import './overlay.css';

type Toast = { readonly id: number; readonly text: string; readonly kind: 'good' | 'bad' };

const SHOWN_MS = 6000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const remove = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Says what has been done. What failed stays until it is closed. */
export function showToast({ text, kind = 'good' }: { text: string; kind?: Toast['kind'] }): void {
  const id = nextId++;
  set([...toasts.slice(-2), { id, text, kind }]);
  if (kind === 'good') setTimeout(() => remove(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Once, at the root. */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={toast.kind === 'bad' ? 'toast toast-bad' : 'toast'}>
          {toast.text}
          <IconButton label="Close this message" onClick={() => remove(toast.id)}>
            <Icon name="close" size={14} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
