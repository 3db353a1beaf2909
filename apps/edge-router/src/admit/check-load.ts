import { readCredential, type Authenticator, type Principal } from '@weir/access';
import type { Attempt, EndpointRow } from '@weir/contracts';
import type { KnownCaller, RequestScope, RequestPriority } from '@weir/http-server';
import type { IncomingMessage } from 'node:http';

/** Not known yet: such a request counts as of somebody who pays. */
const UNKNOWN: KnownCaller = { priority: 'paid', id: undefined };

/**
 * Finds by the key of a request whose it is and whether its organization never paid, so that it can be refused before anything
 * else is done for it. Keys that are new here, or no keys, count as those who pay: `checkCallerLoad` asks again, or they are refused anyway.
 */
export function createCallerFinder(
  authenticator: Authenticator,
  { preferredCredential }: EndpointRow,
): (request: IncomingMessage) => KnownCaller {
  const find = rememberBriefly((credential) => {
    try {
      const found = authenticator.authenticate(credential);
      if (!(found instanceof Promise)) return { priority: isUnpaid(found) ? 'unpaid' : 'paid', id: found.key.apiKeyId };
      // The handler authenticates again, and reports what went wrong.
      found.catch(() => undefined);
    } catch {
      // As above.
    }
    return undefined;
  });
  return ({ headers }) => find(readCredential(headers, preferredCredential)) ?? UNKNOWN;
}

/** Who is refused comes again and again, and to find them by the digest of their key costs as much as to answer them. */
const REMEMBERED_MS = 1000;
const REMEMBERED_MAX = 10_000;

/** For a second only: keys in plain text are kept nowhere for long. */
function rememberBriefly(find: (credential: string | undefined) => KnownCaller | undefined) {
  const remembered = new Map<string, KnownCaller>();
  return (credential: string | undefined): KnownCaller | undefined => {
    const known = credential === undefined ? undefined : remembered.get(credential);
    if (known !== undefined) return known;
    const found = find(credential);
    if (credential === undefined || found === undefined || remembered.size >= REMEMBERED_MAX) return found;
    if (remembered.size === 0) setTimeout(() => remembered.clear(), REMEMBERED_MS).unref();
    remembered.set(credential, found);
    return found;
  };
}

/**
 * Throws `overloaded` when the gateway has too much to do for a request of somebody who never paid. Asked as soon as the
 * caller is known: what is refused should not have cost more. Those who pay, and those whose key was known, were asked when their request arrived.
 */
export function checkCallerLoad({ checkLoad, priority }: RequestScope, principal: Principal): void {
  if (checkLoad !== undefined && priority !== 'unpaid' && isUnpaid(principal)) checkLoad('unpaid', principal.key.apiKeyId);
}

function isUnpaid({ key }: Principal): boolean {
  return key.organization.tier === 'free';
}

/** How important a request is that may go to these places. */
export function findPriority(principal: Principal, attempts: readonly Attempt[]): RequestPriority {
  if (areFree(attempts)) return 'free';
  return isUnpaid(principal) ? 'unpaid' : 'paid';
}

/** The same for a request that can go to free models only, which is known when it is known where it goes. */
export function checkPlanLoad({ checkLoad }: RequestScope, principal: Principal, isFree: boolean): void {
  if (isFree && checkLoad !== undefined) checkLoad('free', principal.key.apiKeyId);
}

/** Whether a request that may go to these places can go to free models only. */
export function areFree(attempts: readonly Attempt[]): boolean {
  return attempts.every(({ isFree }) => isFree);
}
