// Hunts for the body that blocks a gateway's event loop longest: `node tools/fuzz/dist/worst/main.js --help`.
import { parseArgs } from 'node:util';
import { huntWorst, huntWorstOfManagement, type Found } from './hunt-worst';
import { startWatched } from './start-watched';

const HELP = `node tools/fuzz/dist/worst/main.js [--sizes 0.25,1,4.5,19.9] [--shape TEXT] [--place TEXT] [--tries N] [--most MS]

  --sizes  of bodies, in MiB
  --shape  only shapes of body whose name contains this
  --place  only places whose name contains this
  --tries  of each, of which the least counts; 3
  --show   how many of the worst of each size; 15
  --most   fail when the event loop was blocked for longer; 50 ms
  --management  not inference: every management endpoint, each text and list at its longest and beyond; sizes follow from that
  --all    print everything as it is measured
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '0.25,1,4.5,19.9' },
      shape: { type: 'string', default: '' },
      place: { type: 'string', default: '' },
      tries: { type: 'string', default: '3' },
      show: { type: 'string', default: '15' },
      most: { type: 'string', default: '50' },
      all: { type: 'boolean', default: false },
      management: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const gateway = await startWatched();
  const sizes = values.sizes.split(',').map((size) => Math.floor(Number(size) * 1024 ** 2));
  const { shape, place, tries } = values;
  const onFound = values.all ? print : () => undefined;
  const options = { shape, place, tries: Number(tries), onFound };
  const found = values.management ? await huntWorstOfManagement(gateway, options) : await huntWorst(gateway, { sizes, ...options });
  if (values.management) {
    const worst = [...found].sort((a, b) => b.blockedMs - a.blockedMs);
    console.log(`\nmanagement, the worst of ${worst.length}:`);
    worst.slice(0, Number(values.show)).forEach(print);
  }
  for (const size of values.management ? [] : sizes) {
    const worst = found.filter((one) => one.size === size).sort((a, b) => b.blockedMs - a.blockedMs);
    console.log(`\n${(size / 1024 ** 2).toFixed(2)} MiB, the worst of ${worst.length}:`);
    worst.slice(0, Number(values.show)).forEach(print);
  }
  await gateway.stop();
  return found.every(({ blockedMs }) => blockedMs <= Number(values.most)) ? 0 : 1;
}

function print({ blockedMs, status, shape, place }: Found): void {
  console.log(`${blockedMs.toFixed(1).padStart(8)} ms  ${String(status).padEnd(4)} ${shape.padEnd(42)} ${place}`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
