import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SERVICES } from '../deployment/__fixtures__/deployment-files';
import { REPOSITORY } from '../repository/read-repository';
import { BOARDS } from './dashboards/boards';
import { listMadeMetrics } from './__fixtures__/made-metrics';

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };

const read = (...path: string[]): string => readFileSync(join(REPOSITORY, ...path), 'utf8');
const rules = (parse(read('docker', 'prometheus', 'alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...BOARDS.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)))),
];

describe('alerts and dashboards', () => {
  it('ask by labels that have the same values wherever Prometheus runs: job has not', () => {
    expect(expressions.length).toBeGreaterThan(35);
    expect(expressions.filter((expression) => /\bjob\b/.test(expression))).toEqual([]);
    const down = rules.find(({ alert }) => alert === 'WeirDown')?.expr ?? '';
    const [, named = ''] = /service=~"([^"]*)"/.exec(down) ?? [];
    expect(named.split('|').sort()).toEqual([...SERVICES].sort());
    const vanished = rules.find(({ alert }) => alert === 'WeirVanished')?.expr ?? '';
    for (const service of SERVICES) expect(vanished).toContain(service);
  });

  it('find differences of either sign', () => {
    const ofDifferences = expressions.filter((each) => each.includes('weir_usage_unexplained_pico_usd'));
    expect(ofDifferences.length).toBeGreaterThan(0);
    for (const expression of ofDifferences) expect(expression).toContain('abs(weir_usage_unexplained_pico_usd)');
  });

  it('have unique names and a severity', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
    }
  });

  it('are the same in Kubernetes: cp docker/prometheus/alerts.yml k8s/chart/files/', () => {
    expect(read('k8s', 'chart', 'files', 'alerts.yml')).toBe(read('docker', 'prometheus', 'alerts.yml'));
  });

  it('the adapter of Kubernetes makes metrics for the autoscaler of those that are made', () => {
    const made = [...listMadeMetrics().keys()];
    const { rules: adapter } = parse(read('k8s', 'prometheus-adapter.yaml')) as {
      rules: Record<'custom' | 'external', { seriesQuery: string }[]>;
    };
    const asked = [...adapter.custom, ...adapter.external];
    expect(asked.length).toBeGreaterThan(0);
    for (const { seriesQuery } of asked) expect(made).toContain(seriesQuery.replace(/\{.*/, ''));
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
