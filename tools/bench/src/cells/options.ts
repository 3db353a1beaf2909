import { parseArgs } from 'node:util';
import type { CellChoice, Route } from './cells';

export type BenchOptions = CellChoice & {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly latencySeconds: number;
  readonly concurrency: number;
  readonly frames: number;
  readonly json: string | undefined;
  /** What the cells of each route ask for. */
  readonly models: Readonly<Record<Route, string>>;
  /** Where the gateway leaves a CPU profile when it stops. */
  readonly profile: string | undefined;
  /** Handed to the gateway on top of what the bench sets. */
  readonly gatewayEnv: Readonly<Record<string, string>>;
};

const HELP = `npm run bench -- [options]
  --seconds N           measured seconds of each cell at full load (5)
  --latency-seconds N   measured seconds of each cell at one connection (2)
  --warm-up N           seconds before each measurement (2)
  --concurrency N       connections at full load (32)
  --frames N            frames of a streamed reply (50)
  --only NAME           cells whose name contains NAME, or is it (=NAME); may be repeated
  --scenario NAME       openai, anthropic (the translated route) or all (all)
  --model ID            model of the same-dialect cells (openai/gpt-4o-mini)
  --repaired-model ID   model of the cells whose replies are put right (mistral/mistral-small-latest)
  --translated-model ID model of the translated cells (anthropic/claude-haiku-4-5)
  --gateway-env K=V     environment of the gateway; may be repeated
  --profile FOLDER      have the gateway write a CPU profile of its whole life
  --json FILE           also write the results as JSON`;

export function parseOptions(args: readonly string[]): BenchOptions | { readonly help: string } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '5' },
      'latency-seconds': { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '2' },
      concurrency: { type: 'string', default: '32' },
      frames: { type: 'string', default: '50' },
      only: { type: 'string', multiple: true, default: [] },
      scenario: { type: 'string', default: 'all' },
      model: { type: 'string', default: 'openai/gpt-4o-mini' },
      'repaired-model': { type: 'string', default: 'mistral/mistral-small-latest' },
      'translated-model': { type: 'string', default: 'anthropic/claude-haiku-4-5' },
      'gateway-env': { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { help: HELP };
  return {
    seconds: positive('seconds', values.seconds),
    latencySeconds: positive('latency-seconds', values['latency-seconds']),
    warmUpSeconds: positive('warm-up', values['warm-up']),
    concurrency: positive('concurrency', values.concurrency),
    frames: positive('frames', values.frames),
    only: values.only,
    scenario: parseScenario(values.scenario),
    profile: values.profile,
    json: values.json,
    models: { express: values.model, repaired: values['repaired-model'], translated: values['translated-model'] },
    gatewayEnv: Object.fromEntries(values['gateway-env'].map(splitPair)),
  };
}

function parseScenario(text: string): BenchOptions['scenario'] {
  if (text === 'openai' || text === 'anthropic' || text === 'all') return text;
  throw new Error(`--scenario must be openai, anthropic or all, not ${text}`);
}

/** A number above 0 as an option gives it. */
export function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}`);
  return value;
}

/** `NAME=VALUE` as an option gives it. */
export function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`--gateway-env must be NAME=VALUE, not ${pair}`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}
