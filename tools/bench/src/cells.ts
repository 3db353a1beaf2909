import type { BenchOptions } from './options';

export type TargetName = 'direct' | 'plain proxy' | 'gateway';

/** One row of the table: which process is asked, and for what. */
export type Cell = {
  readonly name: string;
  readonly target: TargetName;
  readonly stream: boolean;
  /** The gateway speaks another dialect upstream than the caller speaks to it. */
  readonly isTranslated: boolean;
};

export function listCells(options: Pick<BenchOptions, 'only' | 'scenario'>): Cell[] {
  const wantsTranslated = options.scenario !== 'openai';
  const wantsSame = options.scenario !== 'anthropic';
  const rows: Omit<Cell, 'name' | 'stream'>[] = [
    { target: 'direct', isTranslated: false },
    { target: 'plain proxy', isTranslated: false },
    ...(wantsSame ? [{ target: 'gateway', isTranslated: false } as const] : []),
    ...(wantsTranslated ? [{ target: 'gateway', isTranslated: true } as const] : []),
  ];
  return rows
    .flatMap((row) => [false, true].map((stream) => ({ ...row, stream, name: nameCell(row, stream) })))
    .filter((cell) => options.only.length === 0 || options.only.some((part) => isCalled(cell.name, part)));
}

function nameCell(row: Omit<Cell, 'name' | 'stream'>, stream: boolean): string {
  return `${row.target}${row.isTranslated ? ' translated' : ''}${stream ? ' stream' : ''}`;
}

/** `=name` asks for one cell, `name` for all whose name contains it. */
function isCalled(name: string, part: string): boolean {
  return part.startsWith('=') ? name === part.slice(1) : name.includes(part);
}
