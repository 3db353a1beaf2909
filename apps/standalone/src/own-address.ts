/** Where a process that listens at `host` is reached: on all addresses, as people write it. */
function describeAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const ALL = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The same for who is on this machine: an address that stands for all is none to call. */
export function describeLocalAddress(host: string, port: number): string {
  return describeAddress(ALL.get(host) ?? host, port);
}
