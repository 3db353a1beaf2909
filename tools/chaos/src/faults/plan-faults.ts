import type { ProxyMode } from '@weir/testing';
import { createRandom, pickInteger, pickOne, type Random } from '../random';
import { FAIL_POINT_ROWS } from './fail-point-rows';
import type { Fault, TimedFault } from './fault';

const SPAN_MS = 12_000;
const DISK_POINTS = ['journal.write', 'journal.sync'];

/** What goes wrong in one random run: a pure function of its seed. */
export function planFaults(seed: number): TimedFault[] {
  const random = createRandom(seed);
  const count = pickInteger(random, 2, 4);
  return Array.from({ length: count }, () => ({ atMs: pickInteger(random, 0, SPAN_MS), fault: planFault(random) })).sort(
    (a, b) => a.atMs - b.atMs,
  );
}

function planFault(random: Random): Fault {
  const kinds = ['kill-service', 'kill-service', 'freeze-service', 'kill-part', 'spoil-line', 'fail-point', 'fail-point'] as const;
  const kind = pickOne(random, kinds);
  switch (kind) {
    case 'kill-service': {
      const service = pickOne(random, ['chat-translator', 'chat-translator', 'edge-router', 'usage-aggregator'] as const);
      return { kind, service, downMs: pickInteger(random, 0, 2_000) };
    }
    case 'freeze-service':
      return { kind, service: pickOne(random, ['chat-translator', 'usage-aggregator'] as const), ms: pickInteger(random, 500, 9_000) };
    case 'kill-part':
      return { kind, part: pickOne(random, ['postgres', 'redis', 'kafka'] as const), downMs: pickInteger(random, 0, 3_000) };
    case 'spoil-line':
      return {
        kind,
        line: pickOne(random, ['postgres', 'redis', 'kafka', 'provider'] as const),
        mode: planMode(random),
        ms: pickInteger(random, 500, 5_000),
      };
    case 'fail-point': {
      const row = pickOne(random, FAIL_POINT_ROWS);
      const action = DISK_POINTS.includes(row.point) ? pickOne(random, ['kill', 'eio'] as const) : 'kill';
      return { kind, service: row.service, point: row.point, action, nth: row.nth * pickInteger(random, 1, 3) };
    }
  }
}

function planMode(random: Random): ProxyMode {
  const kind = pickOne(random, ['refuse', 'rst', 'blackhole', 'latency', 'throttle', 'cut-after'] as const);
  if (kind === 'latency') return { kind, ms: pickInteger(random, 5, 200) };
  if (kind === 'throttle') return { kind, bytesPerSecond: pickInteger(random, 20_000, 500_000) };
  if (kind === 'cut-after') return { kind, bytes: pickInteger(random, 200, 50_000) };
  return { kind };
}
