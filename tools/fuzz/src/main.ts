// Sends a gateway malformed requests for a given time: `npm run fuzz -- --help`.
import { parseArgs } from 'node:util';
import { startStandalone } from '@weir/gateway-e2e';
import { runFuzz, type FuzzReport } from './run-fuzz';

const HELP = `npm run fuzz -- [--seconds N] [--seed S] [--requests N] [--url <gateway> --key <API key>]

  --seconds   for how long; 60
  --requests  at most so many; no bound
  --seed      which requests; 1
  --url       a gateway that runs already; without it, one is started for this
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      url: { type: 'string' },
      key: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const bounds = {
    seed: Number(values.seed),
    requestsMax: values.requests === '' ? Number.MAX_SAFE_INTEGER : Number(values.requests),
    millisecondsMax: Number(values.seconds) * 1000,
  };
  if (values.url !== undefined) return report(await runFuzz({ url: values.url, key: values.key, ...bounds }));
  const harness = await startStandalone({ env: { LOG_LEVEL: 'error' } });
  const reported = await runFuzz({ url: harness.url, key: harness.apiKey, ...bounds });
  const code = await harness.process.terminate();
  if (code !== 0) console.log(`the gateway ended with ${String(code)}:\n${harness.process.output().slice(-4000)}`);
  return code === 0 ? report(reported) : 1;
}

function report({ requests, statuses, findings, slowestMs }: FuzzReport): number {
  for (const { number, about, problem, request } of findings) console.log(`FOUND ${number} (${about}): ${problem}\n  ${request}`);
  console.log(`${requests} requests, ${JSON.stringify(statuses)}, the slowest took ${slowestMs} ms, ${findings.length} findings`);
  return findings.length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
