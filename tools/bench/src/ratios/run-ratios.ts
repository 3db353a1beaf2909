import { listCheckouts } from './checkout';
import type { Load } from './loads';
import type { RatioOptions } from './options';
import { measureApart } from './measure-apart';
import { measureBeside } from './measure-beside';
import { measureCores } from './measure-cores';
import { measureCounts } from './measure-counts';
import { measureOpenStreams } from './measure-open-streams';
import type { PhaseRun } from './phase-run';
import { ROWS, type PhaseName, type Row } from './rows';
import type { Sample } from './samples';
import { startTools } from './start-tools';

/** Each starts what it compares, measures it round by round and stops it: what is at rest should not disturb the rest. */
const PHASES: Readonly<Record<PhaseName, (loads: readonly Load[], run: PhaseRun) => Promise<Sample[]>>> = {
  beside: measureBeside,
  apart: measureApart,
  counts: measureCounts,
  cores: measureCores,
  streams: measureOpenStreams,
};

export function chooseRows(only: readonly string[]): Row[] {
  return ROWS.filter(({ name }) => only.length === 0 || only.includes(name));
}

/** Measures what the rows need, each load once however many rows read it. */
export async function runRatios(rows: readonly Row[], options: RatioOptions, announce: PhaseRun['announce']): Promise<Sample[]> {
  const checkouts = listCheckouts(options.before);
  const tools = await startTools();
  const samples: Sample[] = [];
  try {
    for (const phase of new Set(rows.map((row) => row.phase))) {
      const loads = new Set(rows.filter((row) => row.phase === phase).flatMap((row) => row.loads));
      samples.push(...(await measurePhase(phase, [...loads], { tools, checkouts, options, announce })));
    }
    return samples;
  } finally {
    await tools.stop();
  }
}

/** What cannot be started here does not take along what was measured; its rows stay empty, and the run fails. */
async function measurePhase(phase: PhaseName, loads: readonly Load[], run: PhaseRun): Promise<Sample[]> {
  try {
    return await PHASES[phase](loads, run);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return [{ load: phase, target: 'now', round: 1, values: {}, errors: 1, fault }];
  }
}
