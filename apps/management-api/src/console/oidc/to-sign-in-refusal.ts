import { SignInRefusal } from './sign-in-refusal';

/** Given up, or not allowed there: the person knows more than we do. */
const GIVEN_UP = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required', 'account_selection_required']);
const BUSY = new Set(['server_error', 'temporarily_unavailable']);

type Failure = {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
};

/** What went wrong at the provider, as one who signs in is to read it. The log gets codes, never what was sent. */
export function toSignInRefusal(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  const { code, error: word, name } = (typeof error === 'object' && error !== null ? error : {}) as Failure;
  if (typeof word === 'string') return refuseByWord(word, code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR');
  if (typeof code === 'string' && code.startsWith('OAUTH_') && !isUnavailable(error as Failure))
    return new SignInRefusal('settings', `what the identity provider sent is not valid for this console: ${describe(error)}`);
  return new SignInRefusal('provider', `the identity provider could not be reached: ${String(name)} ${describe(error)}`, { cause: error });
}

function refuseByWord(word: string, isOfBrowser: boolean): SignInRefusal {
  const message = `the identity provider replied "${word.slice(0, 60).replace(/[^\w.-]/g, '?')}"`;
  if (BUSY.has(word)) return new SignInRefusal('provider', message);
  if (isOfBrowser) return new SignInRefusal(GIVEN_UP.has(word) ? 'refused' : 'settings', message);
  // A code that was used, is too old or is another client's.
  return new SignInRefusal(word === 'invalid_grant' ? 'expired' : 'settings', message);
}

/** A reply that is no proper one because the provider, or what stands before it, is out of order. */
function isUnavailable({ code, cause }: Failure): boolean {
  if (code === 'OAUTH_TIMEOUT') return true;
  return code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && cause instanceof Response && (cause.status >= 500 || cause.status === 429);
}

/** Messages of the library name what was compared and not what with. */
function describe(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: { message?: string } };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${message ?? ''}${inner}${code === undefined ? '' : ` (${code})`}`.slice(0, 300);
}
