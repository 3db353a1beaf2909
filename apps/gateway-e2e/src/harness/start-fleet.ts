import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { startStandalone, type Harness } from './start-standalone';

export type Fleet = {
  readonly harnesses: Harness[];
  /** Starts one again on the data it left, as its supervisor would. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
};

/** Several gateways on one Postgres and one Redis: each with its own edge, worker, journal and aggregator. */
export async function startFleet(count: number, env: Record<string, string>): Promise<Fleet> {
  const first = await startStandalone({ env });
  const harnesses = [first];
  while (harnesses.length < count) {
    const dataDir = makeTestFolder('e2e');
    // Keys are stored under the pepper: all of them have to have the same.
    copyFileSync(join(first.dataDir, 'secrets.json'), join(dataDir, 'secrets.json'));
    harnesses.push(await startStandalone({ env, dataDir }));
  }
  return {
    harnesses,
    restart: async (index) => {
      const { dataDir } = harnesses[index] as Harness;
      harnesses[index] = await startStandalone({ env, dataDir });
    },
    stop: async () => {
      const running = harnesses.filter(({ process }) => process.child.exitCode === null && process.child.signalCode === null);
      await Promise.all(running.map(({ process }) => process.terminate()));
    },
  };
}
