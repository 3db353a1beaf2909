/** All that the playground keeps in the session storage of the tab begins with this. */
export const KEPT_PREFIX = 'weir-playground';

const handlers = new Set<() => void>();

/** What to do besides when everything is to be forgotten. */
export function onForget(handler: () => void): void {
  handlers.add(handler);
}

/** Forgets what was written in the playground, when its user signs out. */
export function forgetPlayground(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(KEPT_PREFIX)) sessionStorage.removeItem(name);
  for (const handler of handlers) handler();
}
