import { useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** How many of those are open that were called up over whatever page there is, as the search is. */
let called = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  called += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps dialogs of pages from opening over what was called up, for as long as it is open. */
export function useForemost(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    change(1);
    return () => change(-1);
  }, [isOpen]);
}

/**
 * Whether a dialog is to be seen. A page that comes late, with a dialog, opens it when what was called up meanwhile is closed: it
 * would cover what someone is writing into. A dialog that was open before stays as it is, below.
 */
export function useTurn(isOpen: boolean): boolean {
  const isCovered = useSyncExternalStore(subscribe, () => called > 0);
  const [hadTurn, setHadTurn] = useState(false);
  const hasTurn = isOpen && (hadTurn || !isCovered);
  if (hasTurn !== hadTurn) setHadTurn(hasTurn);
  return hasTurn;
}
