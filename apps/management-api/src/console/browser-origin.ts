import { GatewayError } from '@weir/errors';
import { createNetworkList, readCallerAddress } from '@weir/http-server';
import type { Request } from 'express';
import type { TLSSocket } from 'node:tls';

/** What is known of where a browser's request comes from. */
export type BrowserOrigin = {
  /** Whether the browser has called by https, which may end in a proxy before this process. */
  isSecure(request: Request): boolean;
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
  return {
    isSecure: (request) =>
      (request.socket as Partial<TLSSocket>).encrypted === true || readForwarded(request, 'x-forwarded-proto')?.toLowerCase() === 'https',
    checkSameOrigin: (request) => {
      const site = request.get('sec-fetch-site');
      // What the browser itself says needs no host to compare with, which proxies may change.
      if (site !== undefined) return refuseUnless(site === 'same-origin');
      const origin = request.get('origin');
      if (origin !== undefined) refuseUnless(readHost(origin) === (readForwarded(request, 'x-forwarded-host') ?? request.get('host')));
    },
  };
}

function refuseUnless(isSame: boolean): void {
  if (!isSame) throw new GatewayError('permission_denied', 'The request came from a page of another origin. Send it from the console.');
}

function readHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
