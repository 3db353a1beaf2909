// Holds a gateway under mixed load and looks whether anything grows or goes missing: `npm run soak -- --minutes 30 --rate 30`.
import { parseArgs } from 'node:util';
import { positive, splitPair } from '../cells/options';
import { judgeSoak } from './judge-soak';
import { runSoak } from './run-soak';
import type { Sample } from './take-sample';

const HELP = `npm run soak -- [options]
  --minutes N           how long (10)
  --rate N              requests a second (20)
  --sample-seconds N    how often the gateway is looked at (10)
  --gateway-env K=V     environment of the gateway; may be repeated`;

const COLUMNS: readonly (readonly [title: string, name: keyof Sample, digits: number])[] = [
  ['seconds', 'seconds', 0],
  ['requests', 'requests', 0],
  ['unexpected', 'unexpected', 0],
  ['in flight', 'inFlight', 0],
  ['RSS MB', 'rssMb', 0],
  ['heap MB', 'heapMb', 0],
  ['external MB', 'externalMb', 0],
  ['descriptors', 'descriptors', 0],
  ['sockets', 'sockets', 0],
  ['journal MB', 'journalMb', 1],
  ['loop p99 ms', 'loopDelayMs', 1],
];

function formatRow(sample: Sample): string {
  return COLUMNS.map(([title, name, digits]) => sample[name].toFixed(digits).padStart(title.length)).join('  ');
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: '20' },
      'sample-seconds': { type: 'string', default: '10' },
      'gateway-env': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  console.log(COLUMNS.map(([title]) => title).join('  '));
  const result = await runSoak(
    {
      seconds: positive('minutes', values.minutes) * 60,
      perSecond: positive('rate', values.rate),
      sampleSeconds: positive('sample-seconds', values['sample-seconds']),
      gatewayEnv: Object.fromEntries(values['gateway-env'].map(splitPair)),
    },
    (sample) => console.log(formatRow(sample)),
  );
  const { lines, faults } = judgeSoak(result);
  console.log(['', ...lines, ...faults.map((fault) => `BROKEN ${fault}`), faults.length === 0 ? 'all is well' : ''].join('\n'));
  return faults.length === 0 ? 0 : 1;
}

// Ending in order ends the gateway as well, which takes its Postgres along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
