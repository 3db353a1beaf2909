import { runWorld, type WorldReport } from './run-world';
import type { WorldOptions } from './world/world';

/** A smaller world that breaks as well: fewer requests, then fewer kinds of faults. `null` where the given one does not break. */
export async function shrinkWorld(options: WorldOptions): Promise<{ readonly options: WorldOptions; readonly report: WorldReport } | null> {
  let smallest = { options, report: await runWorld(options) };
  if (smallest.report.violations.length === 0) return null;
  const tryOne = async (smaller: WorldOptions): Promise<boolean> => {
    const report = await runWorld(smaller);
    if (report.violations.length === 0) return false;
    smallest = { options: smaller, report };
    return true;
  };
  for (const kind of options.kinds) {
    await tryOne({ ...smallest.options, kinds: new Set([...smallest.options.kinds].filter((one) => one !== kind)) });
  }
  for (let part = smallest.options.requests >> 1; part >= 1; part >>= 1) {
    while (smallest.options.requests > part && (await tryOne({ ...smallest.options, requests: smallest.options.requests - part })));
  }
  return smallest;
}
