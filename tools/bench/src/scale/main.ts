// Prints what a rate of requests needs, from measured figures: `npm run scale -- --help`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { figuresOfBench, readFigures } from './figures';
import { RATES, writeTables } from './write-tables';

const HELP = `npm run scale -- [--figures figures.json] [--bench bench.json] [--rate N …]

  --figures  figures of your own, by the names that the tables show: {"edgeUs": 300, "coreMonthUsd": 18.5}
  --bench    what "npm run bench -- --json bench.json" has written: the two figures of one process
  --rate     requests a second at the peak; may be repeated: ${RATES.join(', ')}
`;

function main(): void {
  const { values } = parseArgs({
    options: {
      figures: { type: 'string' },
      bench: { type: 'string' },
      rate: { type: 'string', multiple: true },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const bench = values.bench === undefined ? {} : figuresOfBench(read(values.bench));
  const own = values.figures === undefined ? {} : (read(values.figures) as object);
  const rates = values.rate?.map(Number) ?? RATES;
  if (rates.some((rate) => !(rate > 0))) throw new RangeError('a rate is a number of requests a second');
  const tables = writeTables(readFigures({ ...bench, ...own }), rates);
  console.log([tables.needs, tables.costs, tables.walls, tables.measured, tables.assumed].join('\n'));
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
