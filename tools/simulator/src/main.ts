// Runs worlds by their seeds: `npm run simulate -- --help`.
import { parseArgs } from 'node:util';
import { chooseFaults } from './choose-faults';
import { runWorld, type WorldReport } from './run-world';
import { shrinkWorld } from './shrink-world';
import { FAULT_KINDS, type FaultKind } from './physics/faults';
import { MUTATIONS, type Mutation } from './physics/mutations';
import type { WorldOptions } from './world/world';

const HELP = `npm run simulate -- [--attempts <count>] [--seed <first>] [--requests <of a world>] [--minutes <at most>] [--faults <kind>[,<kind>…]] [--mutation <name>] [--shrink] [--detail]

  --attempts  worlds are run, one seed after the other, until so many attempts were made (10000 unless given)
  --seed      the first seed; alone it runs one world, that of this seed
  --requests  how many requests a world gets (300)
  --minutes   ends after so many minutes of CPU, with what was done by then
  --faults    only these: ${FAULT_KINDS.join(', ')}
  --mutation  breaks something on purpose, which has to be found: ${Object.keys(MUTATIONS).join(', ')}
  --detail    every call between processes and parts is in the trace, of which more is printed
  --shrink    looks for the smallest world that breaks as that of the seed does
`;

type Totals = {
  attempts: number;
  requests: number;
  worlds: number;
  steps: number;
  virtualMs: number;
  readonly faults: Map<string, number>;
};
type Values = { readonly [name: string]: string | boolean | undefined };

const report = (line: string): void => console.log(line);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...{ attempts: { type: 'string' }, seed: { type: 'string' }, requests: { type: 'string', default: '300' } },
      ...{ minutes: { type: 'string' }, faults: { type: 'string' }, mutation: { type: 'string' } },
      ...{
        shrink: { type: 'boolean', default: false },
        detail: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    } as const,
  });
  if (values.help) return (report(HELP), 0);
  const first = Number(values.seed ?? 1);
  if (values.shrink) return shrink(describe(first, values));
  const isOne = values.seed !== undefined && values.attempts === undefined;
  return runMany(first, isOne ? 1 : Number(values.attempts ?? 10_000), values);
}

function describe(seed: number, { requests, faults, mutation, detail }: Values): WorldOptions {
  const kinds = typeof faults === 'string' ? new Set(faults.split(',').filter(Boolean) as FaultKind[]) : chooseFaults(seed);
  const unknown = [...kinds].find((kind) => !FAULT_KINDS.includes(kind));
  if (unknown !== undefined) throw new Error(`there are no faults of the kind ${unknown}`);
  if (typeof mutation === 'string' && !(mutation in MUTATIONS)) throw new Error(`there is no mutation ${mutation}`);
  return {
    seed,
    requests: Number(requests),
    isDetailed: detail === true,
    kinds,
    mutation: typeof mutation === 'string' ? (mutation as Mutation) : null,
  };
}

async function runMany(first: number, attempts: number, values: Values): Promise<number> {
  const totals: Totals = { attempts: 0, requests: 0, worlds: 0, steps: 0, virtualMs: 0, faults: new Map() };
  const broken: number[] = [];
  const minutes = Number(values['minutes'] ?? Infinity);
  let seed = first;
  for (; totals.attempts < attempts && cpuSeconds() < minutes * 60; seed += 1) {
    const world = await runWorld(describe(seed, values));
    add(totals, world);
    if (world.violations.length > 0) {
      broken.push(seed);
      printBroken(world);
    }
    if (totals.worlds % 100 === 0) report(`seed ${seed}: ${totals.attempts} attempts, ${cpuSeconds().toFixed(0)} s of CPU`);
  }
  printTotals(totals, { first, last: seed - 1 });
  report(broken.length === 0 ? 'every promise holds' : `broken by the seeds ${broken.join(', ')}`);
  return broken.length === 0 ? 0 : 1;
}

async function shrink(options: WorldOptions): Promise<number> {
  const smallest = await shrinkWorld(options);
  if (smallest === null) return (report(`seed ${options.seed} breaks nothing`), 0);
  const { kinds, requests } = smallest.options;
  printBroken(smallest.report);
  report(`smallest: --seed ${options.seed} --requests ${requests} --faults "${[...kinds].join(',')}"`);
  return 1;
}

function printBroken({ seed, steps, violations, trace, virtualMs }: WorldReport): void {
  report(`\nBROKEN by seed ${seed}, at step ${steps}, after ${(virtualMs / 1000).toFixed(1)} s`);
  for (const violation of violations.slice(0, 10)) report(`  ${violation}`);
  for (const line of trace) report(`    ${line}`);
  report(`  again: npm run simulate -- --seed ${seed}`);
}

function add(totals: Totals, world: WorldReport): void {
  totals.attempts += world.attempts;
  totals.requests += world.requests;
  totals.worlds += 1;
  totals.steps += world.steps;
  totals.virtualMs += world.virtualMs;
  for (const [kind, count] of world.faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count);
}

function printTotals(
  { attempts, requests, worlds, steps, virtualMs, faults }: Totals,
  { first, last }: { first: number; last: number },
): void {
  const cpu = cpuSeconds();
  report(`\n${attempts} attempts of ${requests} requests in ${worlds} worlds, seeds ${first} to ${last}`);
  report(
    `${steps} steps, ${(virtualMs / 3_600_000).toFixed(1)} h of their time, ${cpu.toFixed(1)} s of CPU: ${Math.round((attempts / cpu) * 3_600)} attempts an hour of CPU`,
  );
  const sorted = [...faults].sort(([, a], [, b]) => b - a);
  report(`faults: ${sorted.map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
