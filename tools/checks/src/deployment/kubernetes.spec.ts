import { fetchEnv, loadEnv } from '@weir/config';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  checkEnvironment,
  read,
  readManifests,
  readSettings,
  ROOT,
  SERVICES,
  type Container,
  type Manifest,
} from './__fixtures__/deployment-files';

const KINDS: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  Deployment,
  StatefulSet,
  HorizontalPodAutoscaler,
  Job,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Namespace,
  Service,
  ServiceAccount,
};
/** Defined by operators; their shapes are looked at below. */
const CUSTOM = ['ServiceMonitor', 'PrometheusRule'];
const REGIONS = readdirSync(join(ROOT, 'k8s', 'overlays'));

const manifests = readManifests();
const ofKind = (...kinds: string[]): Manifest[] => manifests.filter(({ kind }) => kinds.includes(kind));
const find = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name);
const workloads = ofKind('Deployment', 'StatefulSet');
const pods = [...workloads, ...ofKind('Job')].map(({ metadata, spec }) => [metadata.name, spec.template!.spec] as const);
const containerOf = (name: string): Container => pods.find(([pod]) => pod === name)![1].containers[0]!;

const optionalSecretsOf = (name: string) => (containerOf(name).env ?? []).filter(({ valueFrom }) => valueFrom !== undefined);

/** As the pod gets it: settings by the config map, files and the rest by the container; without secrets that may be missing. */
function environmentOf(name: string, region?: string): Record<string, string> {
  const container = containerOf(name);
  const maps = (container.envFrom ?? []).flatMap(({ configMapRef }) => (configMapRef === undefined ? [] : [configMapRef.name]));
  const settings = Object.assign({}, ...maps.map((map) => readSettings(map, region))) as Record<string, string>;
  return {
    ...settings,
    ...Object.fromEntries((container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  };
}

describe('k8s/base', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is what the API takes',
    (_, manifest) => {
      const Model = KINDS[manifest.kind];
      if (Model === undefined) expect(CUSTOM).toContain(manifest.kind);
      else expect(() => new Model(manifest as never).validate()).not.toThrow();
    },
  );

  it('would notice a field that the API does not know the type of', () => {
    const broken = structuredClone(workloads[0]!);
    Object.assign(broken.spec, { replicas: 'three' });
    expect(() => new KINDS[broken.kind]!(broken as never).validate()).toThrow(/replicas/);
  });

  it('kustomization names every file, and a config map for every service', () => {
    const base = parse(read('k8s', 'base', 'kustomization.yaml')) as {
      resources: string[];
      configMapGenerator: { name: string; envs: string[]; options: { labels: Record<string, string> } }[];
    };
    const files = readdirSync(join(ROOT, 'k8s', 'base')).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    expect([...base.resources].sort()).toEqual(files.sort());
    expect(base.configMapGenerator.map(({ name }) => name).sort()).toEqual([...SERVICES, 'migrations'].sort());
    // An upgrade applies one service after the other, each with its settings.
    for (const { name, options } of base.configMapGenerator) {
      expect(options.labels).toEqual(name === 'migrations' ? { 'weir.dev/step': 'first' } : { 'app.kubernetes.io/name': name });
    }
    for (const { envs } of base.configMapGenerator) for (const path of envs) expect(existsSync(join(ROOT, 'k8s', 'base', path))).toBe(true);
  });

  it.each(pods)('%s keeps to the restricted standard', (_, pod) => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const { securityContext, resources, volumeMounts } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources.requests).toMatchObject({ cpu: expect.anything() as string, memory: expect.anything() as string });
      expect(resources.limits).toHaveProperty('memory');
      for (const { name } of volumeMounts) {
        const isClaim = workloads.some(({ spec }) =>
          ((spec['volumeClaimTemplates'] ?? []) as { metadata: { name: string } }[]).some(({ metadata }) => metadata.name === name),
        );
        expect(isClaim || pod.volumes.some((volume) => volume.name === name)).toBe(true);
      }
    }
  });

  it.each(pods)('%s runs a script that is there', (name) => {
    const [script = ''] = containerOf(name).args;
    expect(existsSync(join(ROOT, script.replace('/dist/', '/src/').replace(/\.js$/, '.ts')))).toBe(true);
  });

  it.each(['edge-router', 'management-api'])('%s takes the pepper before from the secret while it is there, and starts without', (name) => {
    expect(optionalSecretsOf(name)).toContainEqual({
      name: 'KEY_PEPPER_PREVIOUS',
      valueFrom: { secretKeyRef: { name: 'weir', key: 'key-pepper-previous', optional: true } },
    });
    expect(checkEnvironment(name, { ...environmentOf(name, 'eu'), KEY_PEPPER_PREVIOUS: 'x'.repeat(43) })).toEqual([]);
    expect(read('k8s', 'README.md')).toContain('key-pepper-previous');
  });

  it('only the management-api takes the secret of a provider to sign in at, where there is one', () => {
    const takers = SERVICES.filter((name) => optionalSecretsOf(name).some((taken) => taken.name === 'CONSOLE_OIDC_CLIENT_SECRET'));
    expect(takers).toEqual(['management-api']);
    const settings = { CONSOLE_OIDC_CLIENT_SECRET: 'x', CONSOLE_OIDC_ISSUER: 'https://id.example', CONSOLE_OIDC_CLIENT_ID: 'weir' };
    expect(checkEnvironment('management-api', { ...environmentOf('management-api', 'eu'), ...settings })).toEqual([]);
    expect(read('k8s', 'README.md')).toContain('console-oidc-client-secret');
  });

  it('the namespace enforces what its pods keep to', () => {
    expect(find('Namespace', 'weir')?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it.each(SERVICES)('%s is probed, spread, disrupted one at a time, scaled, and stops in order', (name) => {
    const pod = pods.find(([each]) => each === name)![1];
    const { livenessProbe, readinessProbe, startupProbe, lifecycle } = containerOf(name);
    const environment = environmentOf(name);
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
    expect(startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    const stopMs =
      (lifecycle?.preStop.sleep.seconds ?? 0) * 1000 + Number(environment['DRAIN_DELAY_MS']) + Number(environment['DRAIN_TIMEOUT_MS']);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(stopMs + 15_000);
    expect(pod.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    expect(find('PodDisruptionBudget', name)?.spec['maxUnavailable']).toBe(1);
    const target = workloads.find(({ metadata }) => metadata.name === name);
    expect(find('HorizontalPodAutoscaler', name)?.spec['scaleTargetRef']).toMatchObject({ kind: target?.kind, name });
    const ports = { http: Number(environment['PORT']), metrics: Number(environment['METRICS_PORT']) };
    expect(containerOf(name).ports).toEqual(Object.entries(ports).map(([each, containerPort]) => ({ name: each, containerPort })));
    expect(find('Service', name)?.spec['ports']).toEqual(
      Object.entries(ports).map(([each, port]) => ({ name: each, port, targetPort: each })),
    );
  });

  it.each(SERVICES)('%s has memory for its heap, the young generation included, and a fifth besides', (name) => {
    const read = (option: string): string | undefined =>
      new RegExp(`--${option}=(\\d+)`).exec(environmentOf(name)['NODE_OPTIONS'] ?? '')?.[1];
    const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(String(containerOf(name).resources.limits?.['memory'])) ?? [];
    const heapMib = Number(read('max-old-space-size')) + 3 * Number(read('max-semi-space-size') ?? 16);
    expect(heapMib / (Number(amount) * (unit === 'Gi' ? 1024 : 1))).toBeLessThanOrEqual(0.82);
  });

  it('how many there are is the autoscaler’s to say: a number here would be restored by every apply', () => {
    for (const { metadata, spec } of workloads) {
      expect(spec).not.toHaveProperty('replicas');
      expect(Number(find('HorizontalPodAutoscaler', metadata.name)?.spec['minReplicas'])).toBeGreaterThanOrEqual(2);
    }
  });

  it('journals are on volumes that outlive their pods', () => {
    for (const name of SERVICES) {
      if (!('JOURNAL_DIR' in environmentOf(name))) continue;
      expect(find('StatefulSet', name)?.spec['persistentVolumeClaimRetentionPolicy']).toEqual({
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
      });
      expect(environmentOf(name)['JOURNAL_DIR']).toMatch(/^\/var\/lib\/weir\//);
      expect(containerOf(name).volumeMounts).toContainEqual({ name: 'journal', mountPath: '/var/lib/weir' });
    }
  });

  it('streams come through the ingress as they are made, and large forms at all', () => {
    const { annotations = {} } = find('Ingress', 'weir')!.metadata;
    const get = (name: string): string => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '';
    const requestTimeoutSeconds = 600;
    expect(get('proxy-buffering')).toBe('off');
    expect(Number(get('proxy-read-timeout'))).toBeGreaterThan(requestTimeoutSeconds);
    expect(Number(get('proxy-send-timeout'))).toBeGreaterThan(requestTimeoutSeconds);
    expect(Number.parseInt(get('proxy-body-size'), 10)).toBeGreaterThanOrEqual(16 * 25);
    expect(get('proxy-next-upstream')).toBe('off');
  });
});

describe('k8s/README.md', () => {
  it('upgrades every service, readers before writers', () => {
    const named = [...read('k8s', 'README.md').matchAll(/\b(deployment|statefulset)\/([\w-]+)/g)].map(([, kind = '', name = '']) => [
      kind,
      name,
    ]);

    expect([...named].sort()).toEqual(workloads.map(({ kind, metadata }) => [kind.toLowerCase(), metadata.name]).sort());
    expect(named.map(([, name]) => name)).toEqual([
      ...['usage-aggregator', 'chat-translator', 'media-service', 'edge-router', 'management-api'],
    ]);
  });

  it('makes every secret that pods read', () => {
    const keys = pods.flatMap(([, { volumes }]) => volumes.flatMap(({ secret }) => secret?.items?.map(({ key }) => key) ?? []));
    const made = [...read('k8s', 'README.md').matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key);

    expect(made.sort()).toEqual([...new Set(keys)].sort());
  });
});

describe('network policies', () => {
  type Peer = { podSelector?: { matchLabels: Record<string, string> }; ipBlock?: { cidr: string; except: string[] } };
  type Policy = {
    podSelector: object;
    policyTypes: string[];
    ingress?: { from: Peer[]; ports: { port: number | string }[] }[];
    egress?: { to: Peer[]; ports: { port: number }[] }[];
  };
  const policy = (name: string) => find('NetworkPolicy', name)?.spec as unknown as Policy;
  const reachesOutside = (name: string): Peer[] =>
    (policy(name).egress ?? []).flatMap(({ to }) => to).filter(({ ipBlock }) => ipBlock !== undefined);

  it('deny everything that no other policy allows', () => {
    expect(policy('default-deny')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('let Prometheus reach metrics and nothing else, and no one else reach them', () => {
    const { ingress } = policy('monitoring');
    expect(ingress?.map(({ ports }) => ports)).toEqual([[{ protocol: 'TCP', port: 'metrics' }]]);
    expect(find('ServiceMonitor', 'weir')?.spec['endpoints']).toMatchObject([{ port: 'metrics', path: '/metrics' }]);
    for (const name of SERVICES) {
      const reached = (policy(name).ingress ?? []).flatMap(({ ports }) => ports.map(({ port }) => port));
      expect(reached.filter((port) => String(port) !== environmentOf(name)['PORT'])).toEqual([]);
    }
  });

  it('let only services that call strangers out, and never into private networks', () => {
    for (const name of ['chat-translator', 'media-service', 'management-api', 'usage-aggregator']) {
      const v4 = reachesOutside(name).find(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0');
      expect(v4?.ipBlock?.except).toEqual(
        expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8']),
      );
      expect(reachesOutside(name).find(({ ipBlock }) => ipBlock?.cidr === '::/0')?.ipBlock?.except).toEqual(['fc00::/7', 'fe80::/10']);
    }
    for (const name of ['edge-router', 'migrations', 'topics']) expect(reachesOutside(name)).toEqual([]);
  });

  it('let those out that fetch or post to addresses of strangers, on the ports that they may use', () => {
    for (const name of ['chat-translator', 'media-service', 'usage-aggregator']) {
      const { FETCH_PORTS: allowed } = loadEnv(fetchEnv, { FETCH_PORTS: environmentOf(name)['FETCH_PORTS'] });
      const outside = policy(name).egress?.find(({ to }) => to.some(({ ipBlock }) => ipBlock !== undefined));
      expect([name, outside?.ports.map(({ port }) => port).sort()]).toEqual([name, [...allowed].sort()]);
    }
  });

  it.each([
    ['media-service', ['edge-router']],
    ['chat-translator', ['edge-router', 'management-api']],
  ])('%s is reached by %j alone', (name, callers) => {
    expect(policy(name).ingress?.flatMap(({ from }) => from)).toEqual(
      callers.map((caller) => ({ podSelector: { matchLabels: { 'app.kubernetes.io/name': caller } } })),
    );
  });
});

describe.each([undefined, ...REGIONS])('settings of overlay %s', (region) => {
  it.each([...SERVICES, 'migrations'])('%s reads them all, and needs no others', (name) => {
    expect(checkEnvironment(name, environmentOf(name, region))).toEqual([]);
  });
});

describe('k8s/overlays', () => {
  it.each(REGIONS)('%s is that region everywhere, and knows the others', (region) => {
    const text = read('k8s', 'overlays', region, 'kustomization.yaml');
    const { resources, configMapGenerator, patches } = parse(text) as {
      resources: string[];
      configMapGenerator: { name: string; behavior: string; envs: string[] }[];
      patches: { patch: string }[];
    };
    expect(resources).toEqual(['../../base']);
    for (const { behavior, envs } of configMapGenerator) {
      expect(behavior).toBe('merge');
      for (const path of envs) expect(existsSync(join(ROOT, 'k8s', 'overlays', region, path))).toBe(true);
    }
    expect(environmentOf('edge-router', region)['DEPLOYMENT_REGION']).toBe(region);
    for (const other of REGIONS.filter((each) => each !== region)) {
      expect(environmentOf('edge-router', region)['REGIONAL_ADDRESSES']).toContain(`${other}=https://${other}.`);
    }
    expect(patches[0]?.patch).toContain(`${region}.gateway.example`);
  });
});
