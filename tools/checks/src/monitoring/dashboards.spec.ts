import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../repository/read-repository';
import { BOARDS } from './dashboards/boards';
import { writeDashboard } from './dashboards/write-dashboard';

/** Charts read nothing outside their own folder. */
const FOLDERS = ['docker/grafana/dashboards', 'k8s/chart/files/dashboards'].map((folder) => join(REPOSITORY, folder));

type WrittenPanel = { id: number; type: string; title: string; gridPos: { h: number; w: number; x: number; y: number } };

describe('dashboards', () => {
  it.each(FOLDERS)('are written as they are described in %s: UPDATE_DOCS=1 writes them', (folder) => {
    const files = new Map(BOARDS.map((board) => [`${board.name}.json`, writeDashboard(board)]));
    if (process.env['UPDATE_DOCS'] === '1') for (const [name, text] of files) writeFileSync(join(folder, name), text);

    expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  });

  it.each(BOARDS.map((board) => [board.name, board] as const))(
    '%s has panels that do not overlap, with names of their own',
    (_name, board) => {
      const { panels } = JSON.parse(writeDashboard(board)) as { panels: WrittenPanel[] };
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
      const taken = new Set<string>();
      for (const { gridPos, title } of panels) {
        expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true]);
        for (const cell of cellsOf(gridPos)) {
          expect([title, cell, taken.has(cell)]).toEqual([title, cell, false]);
          taken.add(cell);
        }
      }
    },
  );
});

function cellsOf({ h, w, x, y }: WrittenPanel['gridPos']): string[] {
  return Array.from({ length: h * w }, (_each, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
}
