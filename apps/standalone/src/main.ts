// What `npm start` runs: reads the settings and starts what PROCESSES asks for. One process that does everything, or one that
// keeps the books with gateways beside it, started and kept by this one. What only one of the two needs, the other does not load.
import { loadEnv, readClickHouseOptions, readKafkaSecurity, readSmtpSettings, readUsageFileSettings } from '@weir/config';
import { standaloneEnv } from './env';
import { countGateways, readMachine } from './family/count-gateways';
import { refuseEmbeddedParts } from './refuse-embedded-parts';

async function main(): Promise<void> {
  const together = [readKafkaSecurity, readSmtpSettings, readUsageFileSettings, readClickHouseOptions, refuseEmbeddedParts];
  const env = loadEnv(standaloneEnv, undefined, together);
  const gateways = countGateways(env.PROCESSES, readMachine());
  if (gateways === null) {
    const { startAlone } = await import('./start-alone.js');
    return startAlone(env);
  }
  const { startFamily } = await import('./family/start-family.js');
  return startFamily(env, gateways);
}

main().catch((error: unknown) => {
  process.stderr.write(`weir could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
