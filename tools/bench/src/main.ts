import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseOptions, type BenchOptions } from './cells/options';
import { formatTable } from './print-table';
import { runBench } from './run-bench';
import { summarize } from './summarize';

const LEGEND = `latency: one connection, over direct; to the first frame of a stream, to the last byte otherwise
CPU: user and system time of the process under test at full load; children: what it started (its database)`;

async function main(options: BenchOptions): Promise<number> {
  console.log(
    `node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${options.concurrency} connections, ${options.seconds} s a cell`,
  );
  warnWhenBusy();
  const results = await runBench(options, (line) => process.stderr.write(`${line}\n`));
  const rows = summarize(results, options.frames);
  console.log(`${formatTable(rows)}\n${LEGEND}`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ node: process.version, cpus: cpus().length, options, rows, results }, null, 2)}\n`);
  const errors = rows.reduce((sum, row) => sum + row.errors, 0);
  if (errors > 0) console.error(`${errors} replies were not what was asked for`);
  return errors > 0 ? 1 : 0;
}

/** CPU time of a process grows on a busy machine: caches go cold and its code is compiled later. */
function warnWhenBusy(): void {
  const [load = 0] = loadavg();
  if (load > cpus().length / 2)
    console.log(
      `! the machine is busy (load ${load.toFixed(1)} on ${cpus().length} cores): compare cells with each other, not with other runs`,
    );
}

const options = parseOptions(process.argv.slice(2));
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
