// Prints what a request costs in times the relay, against what is to be reached: `npm run bench:ratios -- --before ../other`.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { judgeRows } from './judge-rows';
import { parseRatioOptions, type RatioOptions } from './options';
import { formatRatios } from './print-ratios';
import { chooseRows, runRatios } from './run-ratios';
import type { Sample } from './samples';

const LEGEND = `medians over rounds [least to most]; µs: CPU of all threads, a request or a frame; ×: times the relay in the same round`;

async function main(options: RatioOptions): Promise<number> {
  const [load = 0] = loadavg();
  console.log(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, load ${load.toFixed(1)}`);
  const rows = chooseRows(options.only);
  const samples = await runRatios(rows, options, (line) => process.stderr.write(`${line}\n`));
  const judged = judgeRows(rows, samples);
  console.log(`${formatRatios(judged)}\n${LEGEND}`);
  for (const line of listFaults(samples)) console.log(`! ${line}`);
  if (options.json !== undefined)
    writeFileSync(
      options.json,
      `${JSON.stringify({ node: process.version, cpus: cpus().length, options, rows: judged, samples }, null, 2)}\n`,
    );
  return samples.some(({ round, errors }) => round > 0 && errors > 0) ? 1 : 0;
}

/** One line for each load and target: what went wrong first. */
function listFaults(samples: readonly Sample[]): string[] {
  const faults = new Map<string, string>();
  for (const { load, target, round, fault } of samples) {
    const name = `${load}, ${target}${round === 0 ? ', warming up' : ''}`;
    if (fault !== undefined && !faults.has(name)) faults.set(name, `${name}: ${fault}`);
  }
  return [...faults.values()];
}

const options = parseRatioOptions(process.argv.slice(2));
if ('help' in options) {
  console.log(options.help);
} else {
  main(options).then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  );
}
