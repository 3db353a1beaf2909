import type { Route } from './cells/cells';
import type { CellResult } from './measure/run-cell';

export type Row = {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly addedP50Ms: number | null;
  readonly addedP99Ms: number | null;
  readonly cpuMicroseconds: number | null;
  readonly childrenCpuMicroseconds: number | null;
  /** Over the plain proxy: what one more streamed frame costs here than there. */
  readonly cpuMicrosecondsPerFrame: number | null;
  readonly errors: number;
  readonly firstError: string | undefined;
};

/** Turns measurements into the differences that matter: latency over `direct`, frames over `plain proxy`. */
export function summarize(results: readonly CellResult[], frames: number): Row[] {
  const find = (target: string, stream: boolean, route: Route = 'express'): CellResult | undefined =>
    results.find(({ cell }) => cell.target === target && cell.stream === stream && cell.route === route);

  return results.map((result) => {
    const { cell } = result;
    const direct = cell.target === 'direct' ? undefined : find('direct', cell.stream);
    const proxyGrowth = streamGrowth(find('plain proxy', false), find('plain proxy', true));
    const ownGrowth = cell.target === 'gateway' && cell.stream ? streamGrowth(find('gateway', false, cell.route), result) : null;
    return {
      name: cell.name,
      requestsPerSecond: result.requestsPerSecond,
      addedP50Ms: direct === undefined ? null : result.p50Ms - direct.p50Ms,
      addedP99Ms: direct === undefined ? null : result.p99Ms - direct.p99Ms,
      // Asked directly, the process under test is the fake upstream, whose cost is no one's concern.
      cpuMicroseconds: cell.target === 'direct' ? null : result.cpuMicroseconds,
      childrenCpuMicroseconds: cell.target === 'gateway' ? result.childrenCpuMicroseconds : null,
      cpuMicrosecondsPerFrame: ownGrowth === null || proxyGrowth === null ? null : (ownGrowth - proxyGrowth) / frames,
      errors: result.errors,
      firstError: result.firstError,
    };
  });
}

/** What streaming adds to a request: the fixed cost of the request itself cancels out. */
function streamGrowth(whole: CellResult | undefined, stream: CellResult | undefined): number | null {
  if (whole?.cpuMicroseconds == null || stream?.cpuMicroseconds == null) return null;
  return stream.cpuMicroseconds - whole.cpuMicroseconds;
}
