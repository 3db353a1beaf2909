import { fetchEnv, loadEnv } from '@weir/config';
import { describeWithRealParts } from '@weir/testing';
import { parse } from 'yaml';
import { checkEnvironment, read, SERVICES, type Manifest } from './__fixtures__/deployment-files';
import { BOARDS } from '../monitoring/dashboards/boards';
import { writeDashboard } from '../monitoring/dashboards/write-dashboard';
import { ACCOUNTS, DIGEST, OPTIONS, REFUSED } from './__fixtures__/chart-options';
import { checkObject } from './__fixtures__/kinds';
import { renderReleases, type Release } from './__fixtures__/rendered-chart';

describeWithRealParts(['helm'], 'k8s/chart', () => {
  let releases: ReadonlyMap<string, Release>;
  let refusals: readonly string[];
  let lint: string;
  const get = (name: keyof typeof OPTIONS): Release => releases.get(name) as Release;
  const specOf = (release: Release, kind: string, name = 'weir') => release.find(kind, name)?.spec as Record<string, never>;

  beforeAll(async () => {
    const rendered = await renderReleases([...Object.values(OPTIONS), ...REFUSED.map(([values]) => [values])]);
    const names = Object.keys(OPTIONS);
    releases = new Map(names.map((name, index) => [name, rendered.releases[index] as Release]));
    refusals = rendered.releases.slice(names.length).map(({ refusal }) => refusal);
    lint = rendered.lint;
  }, 300_000);

  it('has the version of the rest', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read('k8s', 'chart', 'Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('has nothing that Helm’s linter would complain of', () => {
    expect(lint.split('\n').filter((line) => /failed|WARNING|ERROR/.test(line))).toEqual([]);
  });

  it('refuses values that it does not know, or that do not fit together', () => {
    REFUSED.forEach(([, reason], index) => expect(refusals[index]).toMatch(reason));
  });

  it.each(Object.keys(OPTIONS))('%s: is what the API takes, and what services read', (name) => {
    const release = get(name as keyof typeof OPTIONS);
    expect(release.refusal).toBe('');
    expect(release.manifests.flatMap(checkObject)).toEqual([]);
    if (release.find('Deployment', 'edge-router') === undefined) return;
    for (const service of SERVICES) expect([service, checkEnvironment(service, release.environmentOf(service))]).toEqual([service, []]);
  });

  it('is tried with every kind that it may make', () => {
    const kinds = [...releases.values()].flatMap(({ manifests }) => manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
    const stores = ['Cluster', 'Kafka', 'KafkaNodePool', 'Redis'];
    for (const kind of ['Gateway', 'HTTPRoute', 'BackendTrafficPolicy', 'ExternalSecret', 'Ingress', ...stores]) {
      expect(kinds.some((each) => each.endsWith(` ${kind}`))).toBe(true);
    }
  });

  it('lets streams and uploads through a Gateway for as long as they take, and tries nothing twice that may have begun', () => {
    for (const name of ['try', 'ownGateway'] as const) {
      const { rules } = specOf(get(name), 'HTTPRoute') as unknown as { rules: { timeouts: object; retry?: object }[] };
      expect(rules.map(({ timeouts, retry }) => [timeouts, retry])).toEqual(rules.map(() => [{ request: '0s' }, undefined]));
      const { retry } = specOf(get(name), 'BackendTrafficPolicy') as unknown as { retry: { retryOn: object } };
      expect(retry.retryOn).toEqual({ triggers: ['connect-failure', 'refused-stream'] });
    }
    expect(specOf(get('ownGateway'), 'HTTPRoute')['parentRefs']).toEqual([{ name: 'shared', namespace: 'gateways' }]);
    expect(get('ownGateway').ofKind('Gateway', 'ClientTrafficPolicy')).toEqual([]);
  });

  it('sends the same paths to the management-api by a Gateway and by an ingress', () => {
    type Paths = { path: string; pathType: string; backend: { service: { name: string } } }[];
    const [{ http }] = specOf(get('ingress'), 'Ingress')['rules'] as unknown as [{ http: { paths: Paths } }];
    const [{ matches }] = specOf(get('try'), 'HTTPRoute')['rules'] as unknown as [{ matches: { path: { type: string; value: string } }[] }];
    const byIngress = http.paths.filter(({ backend }) => backend.service.name === 'management-api').map(({ path }) => path);
    expect(matches.map(({ path }) => path.value)).toEqual(byIngress);
    expect(byIngress).toEqual(expect.arrayContaining(['/v1/manage', '/console', '/v1/session', '/x/apikey', '/internal/secret-alert']));
  });

  it('lets streams and large forms through ingress-nginx where that is still there', () => {
    const { annotations = {} } = get('ingress').find('Ingress', 'weir')?.metadata ?? {};
    const annotated = (name: string): string => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '';
    const requestTimeoutSeconds = 600;
    expect(annotated('proxy-buffering')).toBe('off');
    expect(Number(annotated('proxy-read-timeout'))).toBeGreaterThan(requestTimeoutSeconds);
    expect(Number(annotated('proxy-send-timeout'))).toBeGreaterThan(requestTimeoutSeconds);
    expect(Number.parseInt(annotated('proxy-body-size'), 10)).toBeGreaterThanOrEqual(16 * 25);
    expect(annotated('proxy-next-upstream')).toBe('off');
  });

  it('stores of operators are reached by address, secret and policy, and stay when the release goes', () => {
    const release = get('try');
    const stores = release.ofKind('Cluster', 'Kafka', 'KafkaNodePool', 'Redis');
    expect(stores).toHaveLength(4);
    for (const { metadata } of stores) {
      expect(metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
      // Operators give these to pods, which no policy of ours may then select.
      expect(metadata.labels?.['app.kubernetes.io/part-of']).toBe('weir-stores');
      expect(Object.keys(metadata.labels ?? {}).filter((label) => /version|chart/.test(label))).toEqual([]);
    }
    expect(release.environmentOf('usage-aggregator')).toMatchObject({
      REDIS_URL: 'redis://weir-redis:6379',
      KAFKA_BROKERS: 'weir-kafka-kafka-bootstrap:9092',
    });
    const uri = { name: 'weir-postgres-app', items: [{ key: 'uri', path: 'database-url' }] };
    const projected = release.podOf('edge-router').volumes.flatMap((volume) => volume.projected?.sources ?? []);
    expect(projected).toContainEqual({ secret: uri });
    expect(release.find('Job', 'migrations')?.metadata.annotations?.['helm.sh/hook']).toBe('post-install,pre-upgrade');
    expect(release.find('ConfigMap', 'weir-redis')?.data?.['redis-additional.conf']).toContain('maxmemory-policy noeviction');
  });

  it('installs stores before services where that is asked for', () => {
    expect([...new Set(get('storesAlone').manifests.map(({ kind }) => kind))].sort()).toEqual(
      ['Cluster', 'ConfigMap', 'Kafka', 'KafkaNodePool', 'Redis'].sort(),
    );
  });

  it('asks External Secrets for every key, each where it is', () => {
    type Data = { secretKey: string; remoteRef: { key: string; property: string } }[];
    const data = specOf(get('externalSecrets'), 'ExternalSecret')['data'] as unknown as Data;
    const keys = ['database-url', 'key-pepper', 'passport-secret', 'sealing-key', 'bootstrap-api-key', 'key-pepper-previous'];
    expect(data.map(({ secretKey }) => secretKey)).toEqual(keys);
    expect(data[1]?.remoteRef).toEqual({ key: 'weir/peppers', property: 'now' });
    expect(data[0]?.remoteRef).toEqual({ key: 'weir/eu', property: 'database-url' });
    expect(specOf(get('externalSecrets'), 'ExternalSecret', 'weir-providers')['dataFrom']).toEqual([
      { extract: { key: 'weir/providers' } },
    ]);
  });

  it('mounts files of accounts, models and the configuration where their settings say', () => {
    const release = get('files');
    expect(JSON.parse(release.find('ConfigMap', 'provider-accounts')?.data?.['accounts.json'] ?? '')).toEqual(ACCOUNTS);
    for (const name of ['edge-router', 'chat-translator', 'media-service']) {
      expect(release.environmentOf(name)).toMatchObject({
        PROVIDER_ACCOUNTS_FILE: '/etc/weir/accounts/accounts.json',
        CATALOG_FILE: '/etc/weir/catalog/catalog.json',
      });
      const mounted = release.containerOf(name).volumeMounts.map(({ mountPath }) => mountPath);
      expect(mounted).toEqual(expect.arrayContaining(['/etc/weir/accounts', '/etc/weir/catalog', '/etc/weir/keys']));
    }
    expect(release.environmentOf('usage-aggregator')).not.toHaveProperty('CATALOG_FILE');
    expect(get('configuration').environmentOf('management-api')).toMatchObject({ CONFIGURATION_FILE: '/etc/weir/configuration/weir.yaml' });
    expect(parse(get('configuration').find('ConfigMap', 'configuration')?.data?.['weir.yaml'] ?? '')).toEqual({ version: 1 });
  });

  it('lets the aggregator feed a ClickHouse and the management-api read it, and no one else, where there is one', () => {
    const place = { CLICKHOUSE_URL: 'http://clickhouse.stores:8123', CLICKHOUSE_DATABASE: 'weir', CLICKHOUSE_USER: 'weir' };
    const release = get('clickhouse');
    expect(release.environmentOf('usage-aggregator')).toMatchObject({ ...place, CLICKHOUSE_MAKE_TABLES: 'true' });
    expect(release.environmentOf('management-api')).toMatchObject({ ...place, USAGE_STORE: 'clickhouse' });
    const isAllowed = (name: string): boolean => JSON.stringify(release.find('NetworkPolicy', name) ?? {}).includes('8123');
    const knows = (name: string): boolean => JSON.stringify(release.containerOf(name)).includes('clickhouse-password');
    const both = ['management-api', 'usage-aggregator'];
    expect(SERVICES.filter(isAllowed).sort()).toEqual(both);
    expect(SERVICES.filter(knows).sort()).toEqual(both);
    for (const name of SERVICES) expect(JSON.stringify(get('plain').environmentOf(name))).not.toContain('CLICKHOUSE');
  });

  it('upgrades readers before writers: later steps keep their image', () => {
    const images = Object.fromEntries(SERVICES.map((name) => [name, get('secondStep').containerOf(name).image]));
    const [before, after] = ['registry.example/weir:0.0.9', `registry.example/weir@${DIGEST}`];
    expect(images).toEqual({
      'usage-aggregator': after,
      'chat-translator': after,
      'media-service': after,
      'edge-router': before,
      'management-api': before,
    });
    expect(get('secondStep').containerOf('migrations').image).toBe(after);
  });

  it('runs as many as the values say where nothing scales, and scales by CPU where there are no metrics of ours', () => {
    expect(get('fixed').find('Deployment', 'edge-router')?.spec['replicas']).toBe(3);
    expect(get('fixed').ofKind('HorizontalPodAutoscaler', 'NetworkPolicy', 'ServiceMonitor', 'Pod')).toEqual([]);
    for (const { spec } of get('byCpu').ofKind('HorizontalPodAutoscaler')) {
      expect(spec['metrics']).toMatchObject([{ type: 'Resource', resource: { name: 'cpu' } }]);
    }
    expect(get('more').find('ConfigMap', 'weir-more')).toBeDefined();
  });

  it('restarts pods whose settings have changed, and only those', () => {
    const sums = (release: Release) =>
      Object.fromEntries(
        release
          .ofKind('Deployment', 'StatefulSet')
          .map(({ metadata, spec }) => [metadata.name, spec.template?.metadata.annotations['checksum/settings']]),
      );
    const [before, after] = [sums(get('plain')), sums(get('files'))];
    expect(SERVICES.filter((name) => before[name] === after[name])).toEqual(['usage-aggregator']);
    // Models that are mounted are read at the start; the configuration and accounts are followed.
    const catalogs = get('models')
      .ofKind('Deployment', 'StatefulSet')
      .filter(({ spec }) => 'checksum/catalog' in (spec.template?.metadata.annotations ?? {}));
    expect(catalogs.map(({ metadata }) => metadata.name).sort()).toEqual(SERVICES.filter((name) => name !== 'usage-aggregator').sort());
  });

  describe('network policies', () => {
    type Peer = { podSelector?: object; namespaceSelector?: object; ipBlock?: { cidr: string; except: string[] } };
    type Policy = {
      podSelector: object;
      policyTypes: string[];
      ingress?: { from: Peer[]; ports: { port: number | string }[] }[];
      egress?: { to: Peer[]; ports: { port: number }[] }[];
    };
    const policy = (name: string): Policy => specOf(get('plain'), 'NetworkPolicy', name) as unknown as Policy;
    const outside = (name: string) => policy(name).egress?.find(({ to }) => to.some(({ ipBlock }) => ipBlock !== undefined));
    const pod = (name: string) => ({ podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } });

    it('deny everything to pods of the chart that no other policy allows', () => {
      const ours = { matchLabels: { 'app.kubernetes.io/part-of': 'weir' } };
      expect(policy('weir-default-deny')).toEqual({ podSelector: ours, policyTypes: ['Ingress', 'Egress'] });
      const pods = get('plain').ofKind('Deployment', 'StatefulSet', 'Job') as (Manifest & {
        spec: { template: { metadata: { labels: object } } };
      })[];
      for (const { spec } of pods) expect(spec.template.metadata.labels).toMatchObject(ours.matchLabels);
    });

    it('let Prometheus reach metrics and nothing else, and no one else reach them', () => {
      expect(policy('weir-monitoring').ingress?.map(({ ports }) => ports)).toEqual([[{ protocol: 'TCP', port: 'metrics' }]]);
      expect(specOf(get('plain'), 'ServiceMonitor')['endpoints']).toMatchObject([{ port: 'metrics', path: '/metrics' }]);
      for (const name of SERVICES) {
        const reached = (policy(name).ingress ?? []).flatMap(({ ports }) => ports.map(({ port }) => String(port)));
        expect(reached.filter((port) => port !== get('plain').environmentOf(name)['PORT'])).toEqual([]);
      }
    });

    it('let only services that call strangers out, and never into private networks', () => {
      for (const name of ['chat-translator', 'media-service', 'management-api', 'usage-aggregator']) {
        const blocks = outside(name)?.to.map(({ ipBlock }) => ipBlock);
        const privates = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'];
        expect(blocks?.find((block) => block?.cidr === '0.0.0.0/0')?.except).toEqual(expect.arrayContaining(privates));
        expect(blocks?.find((block) => block?.cidr === '::/0')?.except).toEqual(['fc00::/7', 'fe80::/10']);
      }
      for (const name of ['edge-router', 'migrations', 'topics', 'weir-test']) expect(outside(name)).toBeUndefined();
    });

    it('let those out that fetch or post to addresses of strangers, on the ports that they may use', () => {
      for (const name of ['chat-translator', 'media-service', 'usage-aggregator']) {
        const { FETCH_PORTS: allowed } = loadEnv(fetchEnv, { FETCH_PORTS: get('plain').environmentOf(name)['FETCH_PORTS'] });
        expect([
          name,
          outside(name)
            ?.ports.map(({ port }) => port)
            .sort(),
        ]).toEqual([name, [...allowed].sort()]);
      }
    });

    it.each([
      ['media-service', ['edge-router']],
      ['chat-translator', ['edge-router', 'management-api']],
    ])('%s is reached by %j alone', (name, callers) => {
      expect(policy(name).ingress?.flatMap(({ from }) => from)).toEqual(callers.map(pod));
    });

    it('let in who stands before the gateway, by the values', () => {
      const entry = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } };
      for (const name of ['edge-router', 'management-api']) {
        const { ingress } = specOf(get('ingress'), 'NetworkPolicy', name) as unknown as Policy;
        expect(ingress?.[0]?.from).toEqual([entry]);
      }
    });
  });

  it('makes nothing that a cluster without its operators and adapters would refuse, unless it is asked to', () => {
    expect(get('bare').ofKind('ServiceMonitor', 'PrometheusRule')).toEqual([]);
    const scaled = get('bare').ofKind('HorizontalPodAutoscaler');
    expect(scaled).toHaveLength(SERVICES.length);
    for (const { spec } of scaled) expect(spec['metrics']).toMatchObject([{ type: 'Resource' }]);
  });

  it('keeps a password of Redis out of config maps', () => {
    const release = get('redisPassword');
    for (const name of SERVICES) {
      expect(release.find('ConfigMap', name)?.data).not.toHaveProperty('REDIS_URL');
      expect(release.environmentOf(name)).toMatchObject({ REDIS_URL_FILE: '/run/weir/redis-url' });
      const projected = release.podOf(name).volumes.flatMap((volume) => volume.projected?.sources ?? []);
      expect(projected).toContainEqual({ secret: { name: 'redis-of-ours', items: [{ key: 'uri', path: 'redis-url' }] } });
    }
  });

  it('logs in to brokers that ask for it, services and the job of topics alike, with secrets from the secret', () => {
    const release = get('kafkaLogin');
    for (const name of ['chat-translator', 'media-service', 'usage-aggregator', 'topics']) {
      expect(release.environmentOf(name)).toMatchObject({ KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: 'scram-sha-512' });
      const secret = release.containerOf(name).env?.find((each) => each.name === 'KAFKA_SASL_PASSWORD')?.valueFrom;
      expect(secret?.secretKeyRef).toEqual({ name: 'weir', key: 'kafka-sasl-password', optional: true });
    }
    expect(release.environmentOf('edge-router')).not.toHaveProperty('KAFKA_TLS');
  });

  it('takes what a cluster asks of pods: accounts, places, variables, annotations, further containers', () => {
    const release = get('tuned');
    const podOf = (name: string) => release.podOf(name) as unknown as Record<string, unknown>;
    const owner = release.find('Deployment', 'edge-router');
    expect(release.ofKind('ServiceAccount')).toEqual([]);
    for (const name of SERVICES) expect(podOf(name)['serviceAccountName']).toBe('ours');
    expect(podOf('chat-translator')['affinity']).toHaveProperty('nodeAffinity');
    expect(Object.keys(podOf('edge-router')['affinity'] as object)).toEqual(['podAntiAffinity']);
    expect(release.environmentOf('edge-router')).toMatchObject({ TZ: 'UTC', HTTPS_PROXY: 'http://proxy.example:3128' });
    expect(release.environmentOf('chat-translator')).not.toHaveProperty('HTTPS_PROXY');
    expect(release.podOf('edge-router').containers.map(({ name }) => name)).toEqual(['edge-router', 'proxy']);
    expect(owner?.metadata.annotations).toMatchObject({ 'of.the/deployment': 'c' });
    expect(owner?.spec.template?.metadata.annotations).toMatchObject({ 'of.all/pods': 'a', 'of.one/service': 'd' });
    expect(release.find('Service', 'edge-router')?.metadata.annotations).toEqual({ 'of.the/service': 'e' });
    for (const { spec } of release.ofKind('PodDisruptionBudget')) expect(spec['unhealthyPodEvictionPolicy']).toBe('AlwaysAllow');
  });

  it('brings the dashboards to Grafana, each in a config map of its own', () => {
    const made = get('tuned')
      .ofKind('ConfigMap')
      .filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === 'yes');
    expect(made.map(({ data }) => Object.entries(data ?? {})[0])).toEqual(
      BOARDS.map((board) => [`weir-${board.name}.json`, writeDashboard(board)]).sort(([one = ''], [other = '']) =>
        one.localeCompare(other),
      ),
    );
  });

  it('the autoscaler asks for metrics that the adapter makes of ours', () => {
    type Rules = Record<'custom' | 'external', { name: { as: string } }[]>;
    type Metric = { pods?: { metric: { name: string } }; external?: { metric: { name: string } } };
    const { rules } = parse(read('k8s', 'prometheus-adapter.yaml')) as { rules: Rules };
    const metrics = get('plain')
      .ofKind('HorizontalPodAutoscaler')
      .flatMap(({ spec }) => spec['metrics'] as Metric[]);
    const askedOf = (kind: 'pods' | 'external'): string[] => [...new Set(metrics.flatMap((metric) => metric[kind]?.metric.name ?? []))];
    expect(rules.custom.map(({ name }) => name.as).sort()).toEqual(askedOf('pods').sort());
    expect(rules.external.map(({ name }) => name.as).sort()).toEqual(askedOf('external').sort());
  });

  it('Prometheus watches by the rules of docker/prometheus', () => {
    const written = read('docker', 'prometheus', 'alerts.yml');
    for (const [name, page] of [
      ['plain', 'https://weir.example/docs/runbooks.md'],
      ['ownRunbooks', 'https://wiki.example/weir'],
    ] as const)
      expect(specOf(get(name), 'PrometheusRule')).toEqual(parse(written.replaceAll('docs/runbooks.md#', `${page}#`)));
  });
});
