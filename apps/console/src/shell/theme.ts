import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'weir-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

system.addEventListener('change', notify);

function notify(): void {
  for (const listener of listeners) listener();
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

/** Kept for the next time; public/theme.js reads it before anything is drawn. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be switched off: the choice holds as long as the page.
  }
  notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that holds now, chosen or the system's. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}
