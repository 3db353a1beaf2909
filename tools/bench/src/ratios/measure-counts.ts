import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askProbes, probeEnv } from './ask-probes';
import { LOADS, type Load } from './loads';
import { measureLoad } from './measure-load';
import type { PhaseRun } from './phase-run';
import { sumOf } from './process-times';
import { COUNTS, type Sample, type Values } from './samples';
import { startAll, startRelay, startStandaloneTarget, stopAll, type Target } from './targets';

const BYTES_A_KILOBYTE = 1_000;
/** Until what requests leave to be done afterwards is done: it counts too. */
const SETTLED_MS = 2_000;

/** Promises and bytes a request; each in a run of its own, since counting promises allocates. */
export async function measureCounts(_loads: readonly Load[], run: PhaseRun): Promise<Sample[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-probes-'));
  const { tools, checkouts, options } = run;
  const env = probeEnv(folder);
  const settings = { providerUrl: tools.providerUrl, env: { ...options.gatewayEnv, ...env } };
  const targets = await startAll([
    startRelay(tools.providerUrl, env),
    ...checkouts.map((checkout) => startStandaloneTarget(checkout, settings)),
  ]);
  const samples: Sample[] = [];
  try {
    for (let round = 0; round <= options.rounds; round += 1) {
      for (const target of targets) samples.push(await measureTarget(target, round, { ...run, folder }));
    }
    return samples;
  } finally {
    await stopAll(targets);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTarget(target: Target, round: number, run: PhaseRun & { folder: string }): Promise<Sample> {
  run.announce(`round ${round} of ${run.options.rounds}: ${COUNTS}, ${target.name}`);
  const bytes = await countDuring('bytes', target, run);
  const promises = await countDuring('promises', target, run);
  const values: Values = { promises: promises.perRequest, kilobytes: bytes.perRequest / BYTES_A_KILOBYTE };
  return { load: COUNTS, target: target.name, round, values, errors: bytes.errors + promises.errors, fault: bytes.fault ?? promises.fault };
}

type Counted = { readonly perRequest: number; readonly errors: number; readonly fault: string | undefined };

async function countDuring(
  what: 'bytes' | 'promises',
  target: Target,
  { folder, ...run }: PhaseRun & { folder: string },
): Promise<Counted> {
  await askProbes(folder, target.roots, what);
  const { requests, serving, errors, fault } = await measureLoad(LOADS.whole, target, { tools: run.tools, seconds: run.options.seconds });
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  const counts = await askProbes(folder, target.roots, 'stop');
  return { perRequest: sumOf(counts, serving) / requests, errors, fault };
}
