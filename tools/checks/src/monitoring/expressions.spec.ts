import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../repository/read-repository';
import { BOARDS } from './dashboards/boards';
import { checkExpression } from './promql/check-expression';
import { readExpression } from './promql/read-expression';
import { listMadeMetrics } from './__fixtures__/made-metrics';

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook_url: string } };

const read = (...path: string[]): string => readFileSync(join(REPOSITORY, ...path), 'utf8');
const rules = (parse(read('docker', 'prometheus', 'alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const shown = BOARDS.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)));
const made = listMadeMetrics();

describe('expressions of alerts and dashboards', () => {
  it.each([...rules.map(({ expr }) => expr), ...shown.map(({ expr }) => expr)])('%s', (expression) => {
    expect(checkExpression(expression, made)).toEqual([]);
  });

  it('show labels that there are in what they name', () => {
    const labels = new Set([...[...made.values()].flatMap((metric) => metric.labels), 'instance', 'service']);
    const named = shown.flatMap(({ legend }) => [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label));
    expect(named.filter((label) => !labels.has(label ?? ''))).toEqual([]);
  });

  it('ask for every metric of ours somewhere', () => {
    const asked = new Set([...rules, ...shown].flatMap(({ expr }) => readExpression(expr).asked.map(({ name }) => name)));
    const isAsked = (name: string): boolean => ['', '_bucket', '_sum', '_count'].some((end) => asked.has(name + end));
    expect([...made.keys()].filter((name) => name.startsWith('weir_') && !isAsked(name))).toEqual([]);
  });

  it('have exemplars where histograms have them', () => {
    const withExemplars = shown.filter(({ hasExemplars }) => hasExemplars === true).map(({ expr }) => /weir_\w+_bucket/.exec(expr)?.[0]);
    const known = ['weir_request_seconds_bucket', 'weir_attempt_seconds_bucket', 'weir_attempt_first_byte_seconds_bucket'];
    expect([...new Set(withExemplars)].sort()).toEqual(known.sort());
  });
});

describe('runbooks', () => {
  const page = read('docs', 'runbooks.md');
  const sections = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]),
  );

  it('have one section for each alert, which leads there', () => {
    const alerts = [...sections.keys()].filter((name) => name.startsWith('Weir'));
    expect(alerts.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of rules) expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  });

  it.each(rules.map(({ alert }) => alert))(
    '%s says what it means, what callers see, where to look, what to do, when it is over, and how it was tried',
    (alert) => {
      const section = sections.get(alert) ?? '';
      for (const part of ['Means', 'Callers see', 'Look at', 'Do', 'Over when', 'Tried']) expect(section).toContain(`**${part}.**`);
    },
  );

  it('ask only for what there is', () => {
    const queries = [...page.matchAll(/^```promql\n([^]*?)\n```$/gm)].map(([, query = '']) => query);
    expect(queries.length).toBeGreaterThan(10);
    for (const query of queries) for (const line of query.split('\n')) expect([line, checkExpression(line, made)]).toEqual([line, []]);
  });
});
