// Asks several times as much of a gateway as it can do: `node tools/bench/dist/overload/main.js --seconds 60 --times 5`.
import { parseArgs } from 'node:util';
import { positive, splitPair } from '../options';
import { judgeOverload } from './judge-overload';
import { runOverload, type OverloadOptions } from './run-overload';

const HELP = `node tools/bench/dist/overload/main.js [options]
  --seconds N           how long too much is asked (60)
  --times N             how many times what it can do (5)
  --frames N            content frames of a streamed answer (300); 0: answers are whole
  --provider-ms N       until the provider begins to answer (0)
  --paid N              share of the requests for chat by who pays (0.15)
  --from N              requests a second where stepping up begins (100)
  --peak N              requests a second it can do, where that is known
  --gateway-env K=V     environment of the gateway; may be repeated`;

function readOptions(): OverloadOptions | null {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      ...{ seconds: text('60'), times: text('5'), frames: text('300'), paid: text('0.15'), from: text('100'), 'provider-ms': text('0') },
      peak: { type: 'string' },
      'gateway-env': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    seconds: positive('seconds', values.seconds),
    times: positive('times', values.times),
    frames: Number(values.frames),
    providerMs: Number(values['provider-ms']),
    paidShare: positive('paid', values.paid),
    from: positive('from', values.from),
    peak: values.peak === undefined ? undefined : positive('peak', values.peak),
    gatewayEnv: Object.fromEntries(values['gateway-env'].map(splitPair)),
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.log(HELP);
    return 0;
  }
  const { lines, faults } = judgeOverload(await runOverload(options, (line) => console.log(line)));
  console.log([...lines, ...faults.map((fault) => `BROKEN ${fault}`), faults.length === 0 ? 'all is well' : ''].join('\n'));
  return faults.length === 0 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
