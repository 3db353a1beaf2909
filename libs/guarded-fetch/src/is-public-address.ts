import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

type V6 = ReturnType<typeof ipaddr.IPv6.parse>;

/** What the public internet routes of IPv6; everything else is local, reserved or a wrapping of something else. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The well-known prefix under which networks without IPv4 reach it. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Tunnels by interface identifier: the last four bytes are an IPv4 address that the host itself would dial. */
const ISATAP = 0x5efe;
/** Looks public, and is the host of one cloud's virtual machines. */
const CLOUD_HOSTS: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an IP address, in its plain textual form, belongs to the public internet. Addresses that wrap an IPv4 address
 * are judged by what they wrap; tunnels (6to4, Teredo, ISATAP) and everything reserved are never public.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return ipaddr.IPv4.parse(address).range() === 'unicast' && !CLOUD_HOSTS.has(address);
  // A zone names one of this machine's own networks.
  if (version === 0 || address.includes('%')) return false;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress() || parsed.match(NAT64)) return isPublicAddress(lastFourBytes(parsed));
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast' && !isTunnel(parsed);
}

function lastFourBytes(address: V6): string {
  return address.toByteArray().slice(-4).join('.');
}

function isTunnel({ parts }: V6): boolean {
  return parts[5] === ISATAP && (parts[4] === 0 || parts[4] === 0x0200);
}

/**
 * The rule of an installation: public addresses, and those of the networks its operator names (`10.1.0.0/16`,
 * `fd00:1::/64`). Throws on what is no network.
 */
export function createAddressRule(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return isPublicAddress;
  const allowed = networks.map(parseNetwork);
  return (address) => isPublicAddress(address) || (isIP(address) !== 0 && isInside(ipaddr.parse(address), allowed));
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

function parseNetwork(text: string): Network {
  try {
    return ipaddr.parseCIDR(text);
  } catch (cause) {
    throw new Error(`"${text}" is no network: write it like 10.1.0.0/16`, { cause });
  }
}

function isInside(address: ReturnType<typeof ipaddr.parse>, networks: readonly Network[]): boolean {
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network));
}
