import { listCells, type Cell } from './cells/cells';
import { parseStat } from './measure/cpu-time';
import type { CellResult } from './measure/run-cell';
import { parseOptions } from './cells/options';
import { formatTable } from './print-table';
import { summarize } from './summarize';

function createResult(cell: Cell, cpuMicroseconds: number | null, p50Ms: number): CellResult {
  return {
    cell,
    cpuMicroseconds,
    p50Ms,
    p99Ms: p50Ms * 2,
    childrenCpuMicroseconds: 1,
    requests: 10,
    requestsPerSecond: 5,
    errors: 0,
    firstError: undefined,
  };
}

const cells = listCells({ only: [], scenario: 'openai' });
const results = (cpu: readonly (number | null)[]) => cells.map((cell, index) => createResult(cell, cpu[index] ?? null, index));

describe('summarize', () => {
  it('takes latency over direct of the same kind', () => {
    const rows = summarize(results([1, 1, 40, 240, 70, 300]), 50);

    expect(rows.map((row) => row.addedP50Ms)).toEqual([null, null, 2, 2, 4, 4]);
  });

  it('takes a frame as what streaming adds here over what it adds in the plain proxy', () => {
    const rows = summarize(results([1, 1, 40, 240, 70, 320]), 50);

    expect(rows.find((row) => row.name === 'gateway stream')?.cpuMicrosecondsPerFrame).toBe(1);
  });

  it('prints n/a where the system does not report CPU time', () => {
    const rows = summarize(results([null, null, null, null, null, null]), 50);

    expect(rows.every((row) => row.cpuMicroseconds === null && row.cpuMicrosecondsPerFrame === null)).toBe(true);
    expect(formatTable(rows)).toContain('n/a');
  });
});

describe('listCells', () => {
  it('keeps what --only and --scenario name', () => {
    expect(listCells({ only: ['proxy'], scenario: 'all' }).map(({ name }) => name)).toEqual(['plain proxy', 'plain proxy stream']);
    expect(listCells({ only: ['gateway'], scenario: 'anthropic' }).map(({ name }) => name)).toEqual([
      'gateway translated',
      'gateway translated stream',
    ]);
  });
});

describe('parseOptions', () => {
  it('refuses numbers that are none', () => {
    expect(() => parseOptions(['--seconds', 'soon'])).toThrow('--seconds');
    expect(parseOptions(['--seconds', '3', '--gateway-env', 'A=b=c'])).toMatchObject({ seconds: 3, gatewayEnv: { A: 'b=c' } });
  });
});

describe('parseStat', () => {
  it('counts fields after a process name with spaces and parentheses', () => {
    const stat = parseStat('42 (node (x) y) S 7 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 11 0 1 2 3');

    expect(stat).toEqual({ parent: 7, microseconds: 2_000_000 });
  });
});
