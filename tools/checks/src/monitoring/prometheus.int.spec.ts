import { createAttemptMetrics, createMetricsRegistry, createRequestMetrics, seenIn } from '@weir/telemetry';
import { describeWithRealParts, findPrometheus, getPrometheus, waitUntil, type RealPrometheus } from '@weir/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { REPOSITORY } from '../repository/read-repository';
import { BOARDS } from './dashboards/boards';
import { serveMetrics } from './__fixtures__/serve-metrics';

const FOLDER = join(REPOSITORY, 'docker', 'prometheus');
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

type AlertTest = { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] };
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };

const readYaml = (name: string): unknown => parse(readFileSync(join(FOLDER, name), 'utf8'));
const rules = (readYaml('alerts.yml') as Rules).groups.flatMap((group) => group.rules);

describe('tests of alerts', () => {
  it('let every alert fire, and not fire', () => {
    const { tests } = readYaml('alerts.test.yml') as { tests: AlertTest[] };
    const expected = rules.map(({ alert }) => [alert, [false, true]] as const);
    const tried = tests.map(({ name, alert_rule_test: cases }) => {
      expect(cases.every(({ alertname }) => alertname === name)).toBe(true);
      return [name, [...new Set(cases.map(({ exp_alerts: alerts }) => alerts.length > 0))].sort()] as const;
    });
    expect([...tried].sort()).toEqual([...expected].sort());
  });
});

describeWithRealParts(['prometheus'], 'Prometheus itself', () => {
  const promtool = (...args: string[]) => promisify(execFile)(join(findPrometheus() ?? '', 'promtool'), args, { cwd: FOLDER });
  let prometheus: RealPrometheus | undefined;
  let metrics: Awaited<ReturnType<typeof serveMetrics>>;
  beforeAll(async () => {
    const registry = createMetricsRegistry();
    const requests = createRequestMetrics(registry);
    const attempts = createAttemptMetrics(registry);
    requests.started();
    requests.finished('chat-completions', 200, 700, seenIn(`00-${TRACE}-${SPAN}-01`, 'r-1'));
    attempts.opened();
    attempts.settled({
      ...{ endpoint: 'chat-completions', provider: 'p', model: 'm', outcome: 'ok', durationMs: 600, firstByteMs: 200, costPico: 1n },
      tokens: { inputUncached: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1 },
      seen: seenIn(`00-${TRACE}-${SPAN}-01`, 'r-1'),
    });
    metrics = await serveMetrics(registry);
    const target = `{ targets: ['${metrics.address}'], labels: { service: edge-router } }`;
    prometheus = await getPrometheus(`scrape_configs: [{ job_name: weir, scrape_interval: 1s, static_configs: [${target}] }]\n`);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await metrics.stop();
  });

  async function ask(path: string, parameters: Record<string, string>): Promise<{ status: string; data: unknown; error?: string }> {
    const response = await fetch(`${prometheus?.url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    return (await response.json()) as { status: string; data: unknown; error?: string };
  }

  it('takes the rules, and fires each alert where it must', async () => {
    expect((await promtool('check', 'rules', 'alerts.yml')).stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    expect((await promtool('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
  });

  it('takes every expression of the dashboards', async () => {
    const expressions = BOARDS.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)));
    for (const { expr } of expressions) {
      const { status, error } = await ask('query', { query: expr.replaceAll('$provider', '.*') });
      expect([expr, status, error]).toEqual([expr, 'success', undefined]);
    }
  });

  it('asks for OpenMetrics, and leads from a bucket to the request', async () => {
    type Found = { seriesLabels: { __name__: string }; exemplars: { labels: object; value: string }[] }[];
    const read = async (): Promise<Found> => {
      const now = Date.now() / 1000;
      const query = '{__name__=~"weir_request_seconds_bucket|weir_attempt_.*seconds_bucket"}';
      return (await ask('query_exemplars', { query, start: String(now - 300), end: String(now + 10) })).data as Found;
    };
    await waitUntil('three exemplars', async () => (await read()).length === 3);
    expect(metrics.asked[0]).toContain('application/openmetrics-text');
    const found = await read();
    expect(found.map(({ seriesLabels }) => seriesLabels.__name__).sort()).toEqual([
      'weir_attempt_first_byte_seconds_bucket',
      'weir_attempt_seconds_bucket',
      'weir_request_seconds_bucket',
    ]);
    for (const { exemplars } of found) expect(exemplars[0]?.labels).toEqual({ trace_id: TRACE, span_id: SPAN, request_id: 'r-1' });
  });
});
