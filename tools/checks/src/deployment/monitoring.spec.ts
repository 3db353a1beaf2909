import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { read, readManifests, ROOT, SERVICES } from './__fixtures__/deployment-files';

type Rules = {
  groups: { name: string; rules: { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }[] }[];
};
type Dashboard = { uid: string; panels: { id: number; type: string; title: string; targets?: { expr: string }[] }[] };

const alerts = parse(read('docker', 'prometheus', 'alerts.yml')) as Rules;
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboards = readdirSync(join(ROOT, 'docker', 'grafana', 'dashboards')).map(
  (name) => JSON.parse(read('docker', 'grafana', 'dashboards', name)) as Dashboard,
);
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))),
];

/** Names of metrics, as the code that makes them spells them. */
function listMadeMetrics(): Set<string> {
  const folder = join('libs', 'telemetry', 'src');
  const sources = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const texts = sources.map((name) => read(folder, name)).join('\n');
  const plain = [...texts.matchAll(/name: '(weir_\w+)'/g)].map(([, name]) => name as string);
  const journal = [...texts.matchAll(/\badd\(\s*'(\w+)'/g)].map(([, name]) => `weir_${name}`);
  return new Set([...plain, ...journal]);
}

describe('alerts and dashboards', () => {
  it('ask only for metrics that are made', () => {
    const made = listMadeMetrics();
    const asked = expressions.flatMap((expression) => expression.match(/weir_\w+/g) ?? []);
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !made.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
  });

  it('show every metric of ours somewhere', () => {
    const text = expressions.join(' ');
    expect([...listMadeMetrics()].filter((name) => !text.includes(name))).toEqual([]);
  });

  it('have balanced brackets, unique names and a severity', () => {
    for (const expression of expressions) {
      for (const [open, close] of ['()', '{}', '[]'] as const) {
        expect([expression, expression.split(open as string).length]).toEqual([expression, expression.split(close as string).length]);
      }
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
    }
    for (const { panels } of dashboards) expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('are the same in Kubernetes', () => {
    const rule = readManifests().find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.spec).toEqual(alerts);
  });

  it('Prometheus scrapes every service where compose has it', () => {
    const { scrape_configs: jobs } = parse(read('docker', 'prometheus', 'prometheus.yml')) as {
      scrape_configs: { static_configs: { targets: string[]; labels: { service: string } }[] }[];
    };
    const compose = parse(read('docker', 'compose.yaml'), { merge: true }) as {
      services: Record<string, { environment: { METRICS_PORT: string } }>;
    };
    const scraped = jobs.flatMap((job) => job.static_configs.map(({ targets, labels }) => [labels.service, ...targets]));
    expect(scraped.sort()).toEqual(SERVICES.map((name) => [name, `${name}:${compose.services[name]?.environment.METRICS_PORT}`]).sort());
  });
});
