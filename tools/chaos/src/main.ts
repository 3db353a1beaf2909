// Runs scenarios and random faults against a whole distributed gateway: `npm run chaos -- --help`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Verdict } from './check/check-invariants';
import { runFaults } from './faults/run-faults';
import { inRunFolder } from './rig/in-run-folder';
import { startRig, type Rig } from './rig/start-rig';
import { findScenario, SCENARIOS } from './scenarios/all-scenarios';
import type { Scenario, Size } from './scenarios/scenario';

const HELP = `npm run chaos -- [--scenario <id>[,<id>…]|all] [--size short|full] [--seeds <count>] [--seed <first>] [--rate <requests per second>] [--kills <count>] [--keep]

  --scenario  what is broken on purpose: ${SCENARIOS.map(({ id }) => id).join(', ')}
  --seeds     random runs: which faults, where and when, follows from the seed alone
  --seed      the first seed; with --seeds 1, the run that failed with it
  --kills     how often a scenario kills at random, where it does; with --scenario kills every process that money goes through
  --one-rig   everything on one gateway, one after the other, instead of a fresh one for each
  --keep      leaves journals, stores and what the services said where they are, as a run that fails does
`;

type Run = (rig: Rig) => Promise<Outcome>;
type Outcome = { readonly name: string; readonly violations: readonly string[] };

const report = (line: string): void => console.log(line);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', default: '' },
      size: { type: 'string', default: 'full' },
      seeds: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      rate: { type: 'string', default: '40' },
      kills: { type: 'string' },
      'one-rig': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const scenarios = chooseScenarios(values.scenario);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.seed) + index);
  if (values.help || scenarios.length + seeds.length === 0) {
    report(HELP);
    return values.help ? 0 : 2;
  }
  const size = values.size === 'short' ? 'short' : 'full';
  const kills = values.kills === undefined ? {} : { kills: Number(values.kills) };
  const runs: Run[] = [
    ...scenarios.map(
      (scenario): Run =>
        (rig) =>
          runScenario(rig, scenario, { size, seed: Number(values.seed), ...kills }),
    ),
    ...seeds.map(
      (seed): Run =>
        (rig) =>
          runSeed(rig, seed, Number(values.rate)),
    ),
  ];
  const inOwnFolder = (some: readonly Run[]): Promise<Outcome[]> =>
    inRunFolder({ isKept: (ended: readonly Outcome[]) => values.keep || ended.some(isBroken), report }, (folder) => inRig(folder, some));
  const outcomes = values['one-rig'] ? await inOwnFolder(runs) : [];
  if (!values['one-rig']) for (const run of runs) outcomes.push(...(await inOwnFolder([run])));
  const broken = outcomes.filter(isBroken).map(({ name }) => name);
  report(`\n${outcomes.length - broken.length} of ${outcomes.length} hold`);
  if (broken.length > 0) report(`broken: ${broken.join(', ')}`);
  return broken.length === 0 ? 0 : 1;
}

function isBroken({ violations }: Outcome): boolean {
  return violations.length > 0;
}

function chooseScenarios(ids: string): readonly Scenario[] {
  if (ids === 'all') return SCENARIOS;
  return ids.split(',').flatMap((id) => (id === '' ? [] : [findScenario(id)]));
}

/** After a failure a part may be down, and everything later would wait for it in vain: the rest is not run. */
async function inRig(folder: string, runs: readonly Run[]): Promise<Outcome[]> {
  const rig = await startRig();
  const outcomes: Outcome[] = [];
  try {
    for (const run of runs) {
      const outcome = await run(rig);
      outcomes.push(outcome);
      if (isBroken(outcome)) break;
    }
    if (!outcomes.some(isBroken)) outcomes.push(await checkMoney(rig));
    return outcomes;
  } finally {
    keepOutputs(rig, join(folder, 'outputs'));
    await rig.stop();
  }
}

/** To find the reason: the output of each service since its last start. */
function keepOutputs(rig: Rig, folder: string): void {
  mkdirSync(folder);
  for (const [service, { child, output }] of Object.entries(rig.harness.services)) {
    const state = `exit code ${child.exitCode}, signal ${child.signalCode}\n`;
    writeFileSync(join(folder, `${service}.log`), state + output());
  }
}

type RunOptions = { readonly size: Size; readonly seed: number; readonly kills?: number };

async function runScenario(rig: Rig, scenario: Scenario, options: RunOptions): Promise<Outcome> {
  report(`\n${scenario.id} (${options.size}): ${scenario.title}`);
  const name = scenario.id;
  try {
    const { verdict, findings } = await scenario.run({ rig, ...options, report: (line) => report(`  ${line}`) });
    report(`  ${JSON.stringify(findings)}`);
    return printVerdict(name, verdict);
  } catch (error) {
    return fail(name, error);
  }
}

async function checkMoney(rig: Rig): Promise<Outcome> {
  const name = 'I6: money held and counted';
  const violations = await rig.checkHolds();
  for (const violation of violations) report(`  BROKEN ${violation}`);
  return { name, violations };
}

async function runSeed(rig: Rig, seed: number, perSecond: number): Promise<Outcome> {
  report(`\nseed ${seed}`);
  const name = `seed ${seed}`;
  try {
    return printVerdict(name, await runFaults(rig, seed, { perSecond, report }));
  } catch (error) {
    return fail(name, error);
  }
}

function printVerdict(name: string, { violations, ...counts }: Verdict): Outcome {
  report(`  ${JSON.stringify(counts)}`);
  for (const violation of violations.slice(0, 20)) report(`  BROKEN ${violation}`);
  return { name, violations };
}

function fail(name: string, error: unknown): Outcome {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  report(`  BROKEN ${text}`);
  return { name, violations: [text] };
}

// Ending in order ends the services as well; stores and broker end with this process however it does.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
