import { GatewayError } from '@weir/errors';
import { createNetworkList, readCallerAddress } from '@weir/http-server';
import type { Request } from 'express';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** What is known of where a browser's request comes from. */
export type BrowserOrigin = {
  /** Whether the browser has called by https, which may end in a proxy before this process. */
  isSecure(request: Request): boolean;
  /** The address of this gateway as the browser has called it: `https://weir.example`. */
  readUrl(request: Request): string;
  /** The browser's own address; null where a proxy is all that is known. */
  readAddress(request: Request): string | null;
  /** Throws `permission_denied` for a request that a page of another origin has sent. */
  checkSameOrigin(request: Request): void;
};

export function createBrowserOrigin(proxyNetworks: readonly string[]): BrowserOrigin {
  const isListed = createNetworkList(proxyNetworks);
  const readForwarded = (request: Request, name: string): string | undefined => {
    const address = readCallerAddress(request);
    if (address === null || !isListed(address)) return undefined;
    return request.get(name)?.split(',')[0]?.trim();
  };
  const readHostOf = (request: Request): string => readForwarded(request, 'x-forwarded-host') ?? request.get('host') ?? '';
  const isSecure = (request: Request): boolean =>
    (request.socket as Partial<TLSSocket>).encrypted === true || readForwarded(request, 'x-forwarded-proto')?.toLowerCase() === 'https';
  return {
    isSecure,
    readUrl: (request) => {
      const url = `${isSecure(request) ? 'https' : 'http'}://${readHostOf(request)}`;
      if (!URL.canParse(url) || new URL(url).pathname !== '/') throw new GatewayError('invalid_request', 'The header Host is no host.');
      return new URL(url).origin;
    },
    readAddress: (request) => {
      const address = readCallerAddress(request);
      if (address === null || !isListed(address)) return address;
      // Each proxy adds whom it was called by: what stands before the last one that is no proxy of ours, anybody may have written.
      const forwarded = (request.get('x-forwarded-for') ?? '').split(',').map((each) => each.trim());
      return forwarded.findLast((each) => isIP(each) !== 0 && !isListed(each)) ?? null;
    },
    checkSameOrigin: (request) => {
      const site = request.get('sec-fetch-site');
      // What the browser itself says needs no host to compare with, which proxies may change.
      if (site !== undefined) return refuseUnless(site === 'same-origin');
      const origin = request.get('origin');
      if (origin !== undefined) refuseUnless(readHost(origin) === readHostOf(request));
    },
  };
}

function refuseUnless(isSame: boolean): void {
  if (!isSame) throw new GatewayError('permission_denied', 'The request came from a page of another origin. Send it from the console.');
}

function readHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
