import { readdirSync, readlinkSync } from 'node:fs';
import { readMetrics } from '@weir/chaos';

/** The state of a process at one moment; NaN where the system, or the process, does not report it. */
export type Sample = {
  readonly seconds: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly externalMb: number;
  readonly descriptors: number;
  readonly sockets: number;
  readonly journalMb: number;
  readonly loopDelayMs: number;
  readonly inFlight: number;
  readonly requests: number;
  readonly unexpected: number;
};

const MB = 1 << 20;

export async function takeSample(
  { metricsUrl, pid }: { metricsUrl: string; pid: number },
  seen: Pick<Sample, 'seconds' | 'requests' | 'unexpected'>,
): Promise<Sample> {
  const metrics = await readMetrics(metricsUrl);
  const read = (name: string): number => metrics.get(name) ?? NaN;
  return {
    ...seen,
    rssMb: read('process_resident_memory_bytes') / MB,
    heapMb: read('nodejs_heap_size_used_bytes') / MB,
    externalMb: read('nodejs_external_memory_bytes') / MB,
    ...countDescriptors(pid),
    journalMb: read('weir_journal_bytes') / MB,
    loopDelayMs: read('nodejs_eventloop_lag_p99_seconds') * 1000,
    inFlight: read('weir_requests_in_flight'),
  };
}

function countDescriptors(pid: number): Pick<Sample, 'descriptors' | 'sockets'> {
  const folder = `/proc/${pid}/fd`;
  try {
    const names = readdirSync(folder);
    return { descriptors: names.length, sockets: names.filter((name) => isSocket(`${folder}/${name}`)).length };
  } catch {
    // Not a system that reports it.
    return { descriptors: NaN, sockets: NaN };
  }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    // Closed since the list was read.
    return false;
  }
}
