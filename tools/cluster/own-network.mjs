import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Set in the program that already has it. */
const MARK = 'WEIR_CLUSTER_NETWORK';
/** Of those that are for documentation: Kubernetes takes no loopback address for what serves. */
export const ADDRESS = '192.0.2.77';
/** Where Envoy Gateway reads its certificates, as in its pod: there it is a folder in memory, here it stays empty. */
export const CERTIFICATES = '/certs';
const SET_UP = [
  `mount -t tmpfs weir-certificates ${CERTIFICATES}`,
  'ip link set lo up',
  'ip link add weir0 type veth peer name weir1',
  `ip address add ${ADDRESS}/24 dev weir0`,
  'ip link set weir0 up',
  'ip link set weir1 up',
  'exec "$0" "$@"',
].join(' && ');

/**
 * Runs a program once more in a network namespace of its own, which has loopback and one address more and leads nowhere: what listens
 * there can be reached by nothing else. Its mounts are its own as well. Returns its exit code, or undefined in the program that already runs there. Needs root.
 */
export function runInOwnNetwork(file, args) {
  if (process.env[MARK] !== undefined) return undefined;
  const program = [process.execPath, file, ...args];
  // The Postgres that tests of this machine share cannot be reached from there, so files are not shared either; Postgres is not root.
  const folder = mkdtempSync(join(tmpdir(), 'weir-cluster-'));
  chmodSync(folder, 0o755);
  const isMade = !existsSync(CERTIFICATES);
  if (isMade) mkdirSync(CERTIFICATES);
  const { status, error } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', SET_UP, ...program], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: 'own', TMPDIR: folder },
  });
  rmSync(folder, { recursive: true, force: true });
  if (isMade) rmdirSync(CERTIFICATES);
  if (error !== undefined) throw new Error('unshare (of util-linux) is needed for a network of its own', { cause: error });
  return status ?? 1;
}
