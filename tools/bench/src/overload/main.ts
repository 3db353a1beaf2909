// Asks several times as much of a gateway as it can do: `node tools/bench/dist/overload/main.js --seconds 60 --times 5`.
import { parseArgs } from 'node:util';
import { positive, splitPair } from '../cells/options';
import { judgeOverload } from './judge-overload';
import type { ReplyMix } from './kinds';
import { runOverload, type OverloadOptions } from './run-overload';

const HELP = `node tools/bench/dist/overload/main.js [options]
  --seconds N           how long too much is asked (60)
  --times N             how many times what it can do (5)
  --at-once             the provider replies at once, instead of as fast as models do
  --frames N            content frames of a stream that comes at once (300); 0: replies are whole
  --provider-ms N       until the provider begins to answer at once (0)
  --paid N              share of the requests for chat by who pays (0.15)
  --from N              requests a second to warm up with, and where stepping up begins (50)
  --warm-up N           seconds of warming up (15)
  --peak N              requests a second it can do, where that is known
  --gateway-env K=V     environment of the gateway; may be repeated`;

function readOptions(): OverloadOptions | null {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      ...{ seconds: text('60'), times: text('5'), frames: text('300'), paid: text('0.15'), 'provider-ms': text('0') },
      ...{ from: text('50'), 'warm-up': text('15'), 'at-once': { type: 'boolean', default: false } as const },
      peak: { type: 'string' },
      'gateway-env': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    seconds: positive('seconds', values.seconds),
    times: positive('times', values.times),
    mix: chooseMix(values['at-once'], Number(values.frames)),
    frames: Number(values.frames),
    providerMs: Number(values['provider-ms']),
    paidShare: positive('paid', values.paid),
    from: positive('from', values.from),
    warmUpSeconds: Number(values['warm-up']),
    peak: values.peak === undefined ? undefined : positive('peak', values.peak),
    gatewayEnv: Object.fromEntries(values['gateway-env'].map(splitPair)),
  };
}

function chooseMix(isAtOnce: boolean, frames: number): ReplyMix {
  if (!isAtOnce) return 'models';
  return frames > 0 ? 'streams' : 'whole';
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
