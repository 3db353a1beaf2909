// How exactly request rates hold: `node tools/bench/dist/limits/rates.js <redis url>`.
import { measureRate, measureRetries } from './measure-rates';

const RATES = [10, 100, 1_000];

async function main(url: string | undefined): Promise<void> {
  if (url === undefined) throw new Error('the address of a Redis is missing');
  for (const perSecond of RATES) {
    const { seconds, asked, allowed, most } = await measureRate(url, perSecond);
    const differs = ((allowed / most - 1) * 100).toFixed(3);
    console.log(`${perSecond}/s: ${allowed} of ${asked} allowed in ${seconds.toFixed(2)} s, at most ${most.toFixed(1)}: ${differs} %`);
    if (allowed > most || allowed < most * 0.98) process.exitCode = 1;
  }
  const { waited, served } = await measureRetries(url, 20, 5);
  console.log(`${served} of ${waited} that waited for what Retry-After says were served`);
  if (served < waited * 0.99) process.exitCode = 1;
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
