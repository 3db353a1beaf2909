import type { Board, Panel, Query } from './dashboard';

const DATASOURCE = { type: 'prometheus', uid: 'prometheus' };
const WIDTH = 24;
const SIZES = { graph: { h: 8, w: 8 }, number: { h: 4, w: 4 } } as const;
const LETTERS = 'ABCDEFGH';

/** A dashboard as Grafana reads it: one line a panel, so that changes can be read. */
export function writeDashboard(board: Board): string {
  const { panels, ...head } = describeDashboard(board);
  const start = JSON.stringify({ ...head, panels: 0 }).slice(0, -2);
  return `${start}[\n${panels.map((panel) => JSON.stringify(panel)).join(',\n')}\n]}\n`;
}

function describeDashboard({ name, title, from, choices = [], rows }: Board) {
  return {
    ...{ uid: `weir-${name}`, title: `Weir: ${title}`, tags: ['weir'], schemaVersion: 39, version: 1, editable: false },
    ...{ timezone: 'utc', refresh: '10s', time: { from, to: 'now' }, annotations: { list: [] } },
    links: [{ type: 'dashboards', title: 'Weir', tags: ['weir'], asDropdown: true, includeVars: false, keepTime: true }],
    templating: { list: choices.map(describeChoice) },
    panels: layOut(rows),
  };
}

function describeChoice({ label, metric }: { readonly label: string; readonly metric: string }): object {
  const asked = `label_values(${metric}, ${label})`;
  return {
    ...{ name: label, label, type: 'query', datasource: DATASOURCE, definition: asked },
    query: { query: asked, refId: label, qryType: 1 },
    ...{ multi: true, includeAll: true, allValue: '.*', current: { text: ['All'], value: ['$__all'] }, refresh: 2, sort: 1 },
  };
}

/** Panels from left to right, as many as fit beside each other; each row of the board has a heading. */
function layOut(rows: Board['rows']): object[] {
  const laid: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    laid.push({ id: laid.length + 1, type: 'row', title, collapsed: false, gridPos: { h: 1, w: WIDTH, x: 0, y }, panels: [] });
    y += 1;
    let x = 0;
    let lineHeight = 0;
    for (const panel of panels) {
      const { h, w } = SIZES[panel.kind];
      if (x + w > WIDTH) [x, y, lineHeight] = [0, y + lineHeight, 0];
      laid.push({ id: laid.length + 1, ...describePanel(panel), gridPos: { h, w, x, y } });
      x += w;
      lineHeight = Math.max(lineHeight, h);
    }
    y += lineHeight;
  }
  return laid;
}

function describePanel(panel: Panel): object {
  const { title, about: description = '', queries } = panel;
  return { title, description, datasource: DATASOURCE, ...describeLook(panel), targets: queries.map(describeQuery) };
}

function describeLook({ kind, unit, redFrom }: Panel): object {
  if (kind === 'graph') {
    const custom = { fillOpacity: 8, lineWidth: 1, showPoints: 'never' };
    const options = { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } };
    return { type: 'timeseries', fieldConfig: { defaults: { unit, min: 0, custom }, overrides: [] }, options };
  }
  const red = redFrom === null || redFrom === undefined ? [] : [{ color: 'red', value: redFrom }];
  const thresholds = { mode: 'absolute', steps: [{ color: 'green', value: null }, ...red] };
  const options = { colorMode: red.length === 0 ? 'value' : 'background', reduceOptions: { calcs: ['lastNotNull'] } };
  return { type: 'stat', fieldConfig: { defaults: { unit, min: 0, thresholds }, overrides: [] }, options };
}

function describeQuery({ expr, legend, hasExemplars }: Query, index: number): object {
  const shown = { refId: LETTERS[index], datasource: DATASOURCE, expr, legendFormat: legend };
  return hasExemplars === true ? { ...shown, exemplar: true } : shown;
}
