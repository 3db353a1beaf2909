// What deciding about a request with a cached key costs.
import { measureAuthorization } from './measure-authorization';

measureAuthorization().then(
  (rounds) => {
    const sorted = [...rounds].sort((a, b) => a - b);
    const [best, median] = [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
    console.log(`authorization of a cached key: ${median.toFixed(2)} µs CPU (median of ${rounds.length} rounds, best ${best.toFixed(2)})`);
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
