export type TargetName = 'direct' | 'plain proxy' | 'gateway';

/**
 * How a reply gets through the gateway: as it came, put right because its provider deviates from the dialect, or from another
 * dialect than the caller's.
 */
export type Route = 'express' | 'repaired' | 'translated';

/** One row of the table: which process is asked, and for what. */
export type Cell = {
  readonly name: string;
  readonly target: TargetName;
  readonly stream: boolean;
  readonly route: Route;
};

/** Which cells are measured. */
export type CellChoice = {
  /** Parts of names, or whole ones (`=name`); none is all. */
  readonly only: readonly string[];
  readonly scenario: 'openai' | 'anthropic' | 'all';
};

export function listCells(options: CellChoice): Cell[] {
  const wantsTranslated = options.scenario !== 'openai';
  const wantsSame = options.scenario !== 'anthropic';
  const rows: Omit<Cell, 'name' | 'stream'>[] = [
    { target: 'direct', route: 'express' },
    { target: 'plain proxy', route: 'express' },
    ...(wantsSame ? [{ target: 'gateway', route: 'express' } as const] : []),
    ...(wantsSame && wantsTranslated ? [{ target: 'gateway', route: 'repaired' } as const] : []),
    ...(wantsTranslated ? [{ target: 'gateway', route: 'translated' } as const] : []),
  ];
  return rows
    .flatMap((row) => [false, true].map((stream) => ({ ...row, stream, name: nameCell(row, stream) })))
    .filter((cell) => options.only.length === 0 || options.only.some((part) => isCalled(cell.name, part)));
}

function nameCell(row: Omit<Cell, 'name' | 'stream'>, stream: boolean): string {
  return `${row.target}${row.route === 'express' ? '' : ` ${row.route}`}${stream ? ' stream' : ''}`;
}

/** `=name` asks for one cell, `name` for all whose name contains it. */
function isCalled(name: string, part: string): boolean {
  return part.startsWith('=') ? name === part.slice(1) : name.includes(part);
}
