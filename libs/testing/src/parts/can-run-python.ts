import { spawnSync } from 'node:child_process';

const PROBE = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))';
let found: boolean | undefined;

/** Whether there is a Python that can make an environment of its own; distributions leave parts of it out. */
export function canRunPython(): boolean {
  return (found ??= spawnSync('python3', ['-c', PROBE]).status === 0);
}
