// Plays histories of regions with one cap by the thousand: `npm run simulate:regions -- --help`.
import { parseArgs } from 'node:util';
import { MUTATIONS, type Mutation } from './regions/mutations';
import { simulateRegions } from './regions/simulate-regions';

const HELP = `npm run simulate:regions -- [--seeds N] [--first S] [--mutation "…"]

  --seeds     how many histories; 10000
  --first     the seed of the first; with --seeds 1 it is played again
  --mutation  with a mistake built in, to see it found: ${MUTATIONS.map((name) => `"${name}"`).join(', ')}
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10000' },
      first: { type: 'string', default: '1' },
      mutation: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const mutation = readMutation(values.mutation);
  const first = Number(values.first);
  const startedMs = performance.now();
  let [admitted, refused] = [0, 0];
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    try {
      const counts = await simulateRegions({ seed, mutation });
      admitted += counts.admitted;
      refused += counts.refused;
    } catch (error) {
      console.error(
        `FOUND with seed ${seed}; again: npm run simulate:regions -- --first ${seed} --seeds 1${mutation === null ? '' : ` --mutation "${mutation}"`}`,
      );
      console.error(error);
      return 1;
    }
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${values.seeds} histories in ${seconds} s: ${admitted} requests admitted, ${refused} refused, nothing overspent, nothing left unused`,
  );
  return 0;
}

function readMutation(text: string | undefined): Mutation | null {
  if (text === undefined) return null;
  const known = MUTATIONS.find((name) => name === text);
  if (known === undefined) throw new RangeError(`no such mutation: ${text}`);
  return known;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
