import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { positive, splitPair } from '../cells/options';
import { ROWS } from './rows';

export type RatioOptions = {
  /** Names of rows; none is all. */
  readonly only: readonly string[];
  /** After the one that warms up. */
  readonly rounds: number;
  readonly seconds: number;
  /** Another built checkout, measured beside this one. */
  readonly before: string | undefined;
  /** Held open at a time; fewer where descriptors do not suffice. */
  readonly streams: number;
  readonly gatewayEnv: Readonly<Record<string, string>>;
  readonly json: string | undefined;
};

const HELP = `npm run bench:ratios -- [options]
  --before FOLDER       another built checkout, measured beside this one
  --only ROW            a row of the table; may be repeated
  --rounds N            rounds that count, after one that warms up (3)
  --seconds N           seconds of each measurement (3)
  --streams N           streams held open at a time (9000)
  --gateway-env K=V     environment of the gateways; may be repeated
  --json FILE           also write the rows and all measurements as JSON
Rows: ${ROWS.map(({ name }) => name).join(', ')}`;

export function parseRatioOptions(args: readonly string[]): RatioOptions | { readonly help: string } {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const many = { type: 'string', multiple: true, default: [] as string[] } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ rounds: text('3'), seconds: text('3'), streams: text('9000'), only: many, 'gateway-env': many },
      before: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { help: HELP };
  for (const name of values.only) if (!ROWS.some((row) => row.name === name)) throw new Error(`no row is called ${name}`);
  return {
    only: values.only,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    streams: positive('streams', values.streams),
    before: values.before === undefined ? undefined : resolve(values.before),
    gatewayEnv: Object.fromEntries(values['gateway-env'].map(splitPair)),
    json: values.json,
  };
}
