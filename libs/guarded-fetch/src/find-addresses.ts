import { isIP } from 'node:net';
import { NOT_PUBLIC, refuseFetch } from './refuse-fetch';
import type { ResolveName } from './resolve-name';

export type AddressRules = {
  readonly resolveName: ResolveName;
  readonly isAllowedAddress: (address: string) => boolean;
};

/**
 * The addresses of a URL's host, each of them checked. One that is not allowed refuses the whole name: a host that
 * resolves to both kinds is trying to get inside.
 */
export async function findAddresses(url: URL, field: string, rules: AddressRules): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await resolve(host, rules) : [host];
  if (addresses.length === 0 || !addresses.every(rules.isAllowedAddress)) throw refuseFetch(field, NOT_PUBLIC);
  return addresses;
}

/** A name without a dot belongs to some local network. */
function resolve(host: string, { resolveName }: AddressRules): Promise<readonly string[]> {
  const name = host.replace(/\.$/, '');
  return name.includes('.') ? resolveName(name) : Promise.resolve([]);
}
