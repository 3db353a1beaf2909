// Compares two builds: `node tools/differential/dist/main.js --before CHECKOUT --after CHECKOUT`.
import { parseArgs } from 'node:util';
import { runDifferential } from './run-differential';

const HELP = `node tools/differential/dist/main.js --before CHECKOUT --after CHECKOUT [--requests 1500] [--seed 1] [--only KIND[,KIND…]] [--list]

  --before, --after  checkouts whose gateways are built
  --requests         about how many requests are sent to each
  --seed             which requests, and in which order, follows from it alone
  --only             kinds whose ids begin with this
  --list             what became of each request at the first build
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      before: { type: 'string' },
      after: { type: 'string' },
      requests: { type: 'string', default: '1500' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const { before, after, only } = values;
  if (before === undefined || after === undefined) {
    console.log(HELP);
    return 2;
  }
  const { requests, differences } = await runDifferential({
    before,
    after,
    requests: Number(values.requests),
    seed: Number(values.seed),
    ...(only === undefined ? {} : { only: only.split(',') }),
    isListing: values.list,
    report: (line) => console.log(line),
  });
  console.log(
    differences.length === 0 ? `\n${requests} requests: nothing differs` : `\n${requests} requests: ${differences.length} differences`,
  );
  return differences.length === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
