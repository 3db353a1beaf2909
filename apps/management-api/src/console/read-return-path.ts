import { CONSOLE_PATH } from './console-parts';

const HERE = 'http://console';
const LENGTH_MAX = 1_000;
/** Below the console, and no page of it. */
const NO_PAGE = /^\/console\/(?:api|oidc|enter|session|sign-in|assets)(?:[/?-]|$)/i;

/** Where to go after signing in: a page of the console. What is none, or would lead elsewhere, is its first page. */
export function readReturnPath(asked: unknown): string {
  const first = `${CONSOLE_PATH}/`;
  if (typeof asked !== 'string' || asked.length > LENGTH_MAX || !/^\/console(?:\/(?![/\\])|\?|$)/.test(asked)) return first;
  if (!URL.canParse(asked, HERE)) return first;
  const { origin, pathname, search } = new URL(asked, HERE);
  const path = `${pathname}${search}`;
  return origin === HERE && (pathname === CONSOLE_PATH || pathname.startsWith(first)) && !NO_PAGE.test(path) ? path : first;
}
