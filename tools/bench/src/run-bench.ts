import { listCells, type Cell, type TargetName } from './cells/cells';
import { runCell, type CellResult, type LoadTools, type Target } from './measure/run-cell';
import { startListening, startLoadGenerator, stopChild } from './measure/start-child';
import { startGateway } from './measure/start-gateway';
import type { BenchOptions } from './cells/options';

type Started = Target & { stop(): Promise<void> };

/** Runs all cells in one go: the same fake upstream and load generator, one process under test after another. */
export async function runBench(options: BenchOptions, announce: (line: string) => void): Promise<CellResult[]> {
  const cells = listCells(options);
  if (cells.length === 0) throw new Error(`no cell is called like ${options.only.join(', ')}`);
  const upstream = await startListening('fake-upstream', [String(options.frames)]);
  const generator = startLoadGenerator();
  try {
    const results: CellResult[] = [];
    for (const target of ['direct', 'plain proxy', 'gateway'] as const) {
      const mine = cells.filter((cell) => cell.target === target);
      if (mine.length > 0)
        results.push(...(await runTarget(mine, () => startTarget(target, upstream, options), { generator, options, announce })));
    }
    return results;
  } finally {
    await Promise.all([stopChild(generator), upstream.stop()]);
  }
}

type Run = LoadTools & { readonly announce: (line: string) => void };

async function runTarget(cells: readonly Cell[], start: () => Promise<Started>, run: Run): Promise<CellResult[]> {
  const target = await start();
  try {
    const results: CellResult[] = [];
    for (const cell of cells) {
      run.announce(`${cell.name} …`);
      results.push(await runCell(cell, target, run));
    }
    return results;
  } finally {
    await target.stop();
  }
}

async function startTarget(target: TargetName, upstream: Target | Omit<Target, 'key'>, options: BenchOptions): Promise<Started> {
  const url = `http://127.0.0.1:${upstream.port}`;
  if (target === 'direct') return { port: upstream.port, pid: upstream.pid, key: 'bench', stop: () => Promise.resolve() };
  if (target === 'gateway') return startGateway(url, options);
  return { ...(await startListening('plain-proxy', [url])), key: 'bench' };
}
