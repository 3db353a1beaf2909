import { createMetricsRegistry } from '@weir/telemetry';
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

/** Metrics of ours and of the process; those that an adapter has to make are named after one of ours. */
const METRIC = /\b(?:weir|nodejs|process)_\w+/g;

/** What every process reports about itself. */
async function listProcessMetrics(): Promise<string[]> {
  const metrics = await createMetricsRegistry().getMetricsAsJSON();
  return metrics.map(({ name }) => name);
}

describe('alerts and dashboards', () => {
  it('ask only for metrics that are made', async () => {
    const made = new Set([...listMadeMetrics(), ...(await listProcessMetrics())]);
    const asked = expressions.flatMap((expression) => expression.match(METRIC) ?? []);
    expect(asked.length).toBeGreaterThan(35);
    expect(asked.filter((name) => !made.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
  });

  it('ask by labels that have the same values wherever Prometheus runs: job has not', () => {
    expect(expressions.filter((expression) => /\bjob\b/.test(expression))).toEqual([]);
    const down = rules.find(({ alert }) => alert === 'WeirDown')?.expr ?? '';
    const [, named = ''] = /service=~"([^"]*)"/.exec(down) ?? [];
    expect(named.split('|').sort()).toEqual([...SERVICES].sort());
  });

  it('find differences of either sign', () => {
    for (const expression of expressions.filter((each) => each.includes('weir_usage_unexplained_pico_usd'))) {
      expect(expression).toContain('abs(weir_usage_unexplained_pico_usd)');
    }
  });

  it('say in the pages what to do', () => {
    const page = read('docs', 'observability.md');
    const reported = [...page.matchAll(/^\| (`Weir.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/Weir\w+/g) ?? []);
    expect(reported.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('the autoscaler asks for metrics that the adapter makes of those that are made', async () => {
    const made = new Set([...listMadeMetrics(), ...(await listProcessMetrics())]);
    const { rules: adapter } = parse(read('k8s', 'prometheus-adapter.yaml')) as {
      rules: Record<'custom' | 'external', { seriesQuery: string; name: { as: string } }[]>;
    };
    type Metric = { type: string; pods?: { metric: { name: string } }; external?: { metric: { name: string } } };
    const metrics = readManifests()
      .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
      .flatMap(({ spec }) => spec['metrics'] as Metric[]);
    const askedOf = (kind: 'pods' | 'external'): string[] => [...new Set(metrics.flatMap((metric) => metric[kind]?.metric.name ?? []))];
    expect(adapter.custom.map(({ name }) => name.as).sort()).toEqual(askedOf('pods').sort());
    expect(adapter.external.map(({ name }) => name.as).sort()).toEqual(askedOf('external').sort());
    for (const { seriesQuery } of [...adapter.custom, ...adapter.external]) expect(made).toContain(seriesQuery.replace(/\{.*/, ''));
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
