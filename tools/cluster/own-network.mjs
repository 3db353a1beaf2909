import { spawnSync } from 'node:child_process';

/** Set in the program that already has it. */
const MARK = 'WEIR_CLUSTER_NETWORK';
/** Of those that are for documentation: Kubernetes takes no loopback address for what serves. */
export const ADDRESS = '192.0.2.77';
const SET_UP = [
  'ip link set lo up',
  'ip link add weir0 type veth peer name weir1',
  `ip address add ${ADDRESS}/24 dev weir0`,
  'ip link set weir0 up',
  'ip link set weir1 up',
  'exec "$0" "$@"',
].join(' && ');

/**
 * Runs a program once more in a network namespace of its own, which has loopback and one address more and leads nowhere: what listens
 * there can be reached by nothing else. Returns its exit code, or undefined in the program that already runs there. Needs root.
 */
export function runInOwnNetwork(file, args) {
  if (process.env[MARK] !== undefined) return undefined;
  const program = [process.execPath, file, ...args];
  const { status, error } = spawnSync('unshare', ['--net', 'sh', '-c', SET_UP, ...program], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: 'own' },
  });
  if (error !== undefined) throw new Error('unshare (of util-linux) is needed for a network of its own', { cause: error });
  return status ?? 1;
}
