import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'weir-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

let isChosen = readChosen() !== undefined;

// What was chosen holds against the system.
system.addEventListener('change', ({ matches }) => {
  if (!isChosen) show(matches ? 'dark' : 'light');
});

function readChosen(): Theme | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : undefined;
  } catch {
    return undefined;
  }
}

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

/** public/theme.js sets it before anything is drawn. */
function readTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

/** Kept for the next time. */
export function chooseTheme(theme: Theme): void {
  isChosen = true;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be switched off: the choice holds as long as the page.
  }
  show(theme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that holds now, chosen or the system's. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}
