import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PROBE_FOLDER, type ProbeRequest } from './processes/probe';
import { listTree } from './process-times';

const PROBE = join(__dirname, 'processes', 'probe.js');

/** What makes a process and those that it starts load the probe. */
export function probeEnv(folder: string): Record<string, string> {
  const given = process.env['NODE_OPTIONS'];
  const load = `--require=${PROBE}`;
  return { NODE_OPTIONS: given === undefined ? load : `${given} ${load}`, [PROBE_FOLDER]: folder };
}

/** What each process of these trees has counted since it was asked last; it counts on, as requested. */
export async function askProbes(folder: string, roots: readonly number[], request: ProbeRequest): Promise<Map<number, number>> {
  const pids = listTree(roots).filter((pid) => existsSync(join(folder, String(pid))));
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await askProbe(join(folder, String(pid)), request)] as const)));
}

function askProbe(path: string, request: ProbeRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(path, () => socket.write(request));
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    socket.on('end', () => resolve(Number(text)));
    socket.on('error', reject);
  });
}
