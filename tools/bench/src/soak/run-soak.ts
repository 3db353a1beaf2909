import { setTimeout as pause } from 'node:timers/promises';
import { readSpend, type Spend } from './read-spend';
import { startSoakHarness } from './start-soak-harness';
import { startSoakLoad, type Tally } from './start-soak-load';
import { takeSample, type Sample } from './take-sample';

type SoakOptions = {
  readonly seconds: number;
  readonly perSecond: number;
  readonly sampleSeconds: number;
  /** Handed to the gateway on top of what the soak sets. */
  readonly gatewayEnv: Readonly<Record<string, string>>;
};

export type SoakResult = {
  /** Before the first request. */
  readonly atStart: Sample;
  readonly samples: readonly Sample[];
  /** Some seconds after the last request. */
  readonly atRest: Sample;
  readonly tally: Tally;
  readonly spend: Spend;
};

const REST_MS = 10_000;

/** Holds a standalone gateway under an even, mixed load, looks at it now and then, and compares its books with what clients saw. */
export async function runSoak(options: SoakOptions, onSample: (sample: Sample) => void): Promise<SoakResult> {
  const { harness, pid, keys, stop } = await startSoakHarness(options.gatewayEnv);
  try {
    const atStart = await takeSample({ metricsUrl: harness.metricsUrl, pid }, { seconds: 0, requests: 0, unexpected: 0 });
    const startedAt = Date.now();
    const load = startSoakLoad(harness.url, keys, options.perSecond);
    const look = (): Promise<Sample> => {
      const { requests, unexpected } = load.tally;
      return takeSample({ metricsUrl: harness.metricsUrl, pid }, { seconds: (Date.now() - startedAt) / 1000, requests, unexpected });
    };
    const samples: Sample[] = [];
    for (let due = options.sampleSeconds; due <= options.seconds; due += options.sampleSeconds) {
      await pause(startedAt + due * 1000 - Date.now());
      const sample = await look();
      samples.push(sample);
      onSample(sample);
    }
    const tally = await load.stop();
    await pause(REST_MS);
    const atRest = await look();
    return { atStart, samples, atRest, tally, spend: await readSpend(harness, keys, startedAt) };
  } finally {
    await stop();
  }
}
