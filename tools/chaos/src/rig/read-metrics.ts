/** A long timeout: a machine that does ten things at once replies late. */
const TIMEOUT_MS = 20_000;

/** A service's metrics without labels, by name; those with labels under `name{label="value"}`. */
export async function readMetrics(address: string): Promise<ReadonlyMap<string, number>> {
  const reply = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const metrics = new Map<string, number>();
  for (const line of (await reply.text()).split('\n')) {
    const space = line.lastIndexOf(' ');
    if (!line.startsWith('#') && space > 0) metrics.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return metrics;
}
