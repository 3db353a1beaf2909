import { describeWithRealParts } from '@weir/testing';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkEnvironment, read, ROOT, SERVICES, type Manifest } from './__fixtures__/deployment-files';
import { checkObject } from './__fixtures__/kinds';
import { REGIONS, renderReleases, type Release } from './__fixtures__/rendered-chart';

const JOBS = ['migrations', 'topics'];
const PODS = [...SERVICES, ...JOBS, 'weir-test'];

describeWithRealParts(['helm'], 'k8s/chart with the values of each region', () => {
  let release: Release;
  let regions: ReadonlyMap<string, Release>;
  const workloads = (): Manifest[] => release.ofKind('Deployment', 'StatefulSet');
  const optionalSecretsOf = (name: string) => (release.containerOf(name).env ?? []).filter(({ valueFrom }) => valueFrom !== undefined);

  beforeAll(async () => {
    const { releases } = await renderReleases([[], ...REGIONS.map((region) => [`values-${region}.yaml`])]);
    release = releases[0] as Release;
    regions = new Map(REGIONS.map((region, index) => [region, releases[index + 1] as Release]));
  }, 300_000);

  it('is what the API takes', () => {
    for (const each of [release, ...regions.values()]) {
      expect(each.refusal).toBe('');
      expect(each.manifests.length).toBeGreaterThan(40);
      expect(each.manifests.flatMap(checkObject)).toEqual([]);
    }
  });

  it('would notice a field of the wrong type, one that is missing and one that the API does not know', () => {
    const broken = structuredClone(workloads()[0] as Manifest);
    Object.assign(broken.spec, { replicas: 'three', replica: 3 });
    delete broken.spec['selector'];
    expect(checkObject(broken).join()).toMatch(/selector.*replica"|replica".*selector/s);
    expect(checkObject(broken).join()).toMatch(/\/spec\/replicas: must be integer/);
  });

  it.each(PODS)('%s keeps to the restricted standard', (name) => {
    const pod = release.podOf(name);
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
      const claims = workloads().flatMap(({ spec }) => (spec['volumeClaimTemplates'] ?? []) as { metadata: { name: string } }[]);
      const known = [...claims.map(({ metadata }) => metadata.name), ...pod.volumes.map((volume) => volume.name)];
      expect(known).toEqual(expect.arrayContaining(volumeMounts.map((mount) => mount.name)));
    }
  });

  it.each([...SERVICES, ...JOBS])('%s runs a script that is there', (name) => {
    const [script = ''] = release.containerOf(name).args;
    expect(existsSync(join(ROOT, script.replace('/dist/', '/src/').replace(/\.js$/, '.ts')))).toBe(true);
  });

  it('jobs come before everything else, on an installation and on each upgrade', () => {
    for (const name of JOBS) {
      const annotations = release.find('Job', name)?.metadata.annotations;
      expect(annotations).toMatchObject({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-delete-policy': 'before-hook-creation',
      });
      const policy = release.find('NetworkPolicy', name)?.metadata.annotations;
      expect(policy?.['helm.sh/hook']).toBe(annotations?.['helm.sh/hook']);
      expect(Number(policy?.['helm.sh/hook-weight'])).toBeLessThan(Number(annotations?.['helm.sh/hook-weight']));
    }
  });

  it.each(['edge-router', 'management-api'])('%s takes the pepper before from the secret while it is there, and starts without', (name) => {
    expect(optionalSecretsOf(name)).toContainEqual({
      name: 'KEY_PEPPER_PREVIOUS',
      valueFrom: { secretKeyRef: { name: 'weir', key: 'key-pepper-previous', optional: true } },
    });
    expect(checkEnvironment(name, { ...release.environmentOf(name), KEY_PEPPER_PREVIOUS: 'x'.repeat(43) })).toEqual([]);
    expect(read('docs', 'kubernetes.md')).toContain('key-pepper-previous');
  });

  it('only the management-api takes the secret of a provider to sign in at, where there is one', () => {
    const takers = SERVICES.filter((name) => optionalSecretsOf(name).some((taken) => taken.name === 'CONSOLE_OIDC_CLIENT_SECRET'));
    expect(takers).toEqual(['management-api']);
    const settings = { CONSOLE_OIDC_CLIENT_SECRET: 'x', CONSOLE_OIDC_ISSUER: 'https://id.example', CONSOLE_OIDC_CLIENT_ID: 'weir' };
    expect(checkEnvironment('management-api', { ...release.environmentOf('management-api'), ...settings })).toEqual([]);
    expect(read('docs', 'kubernetes.md')).toContain('console-oidc-client-secret');
  });

  it.each(SERVICES)('%s is probed, spread, disrupted one at a time, scaled, and stops in order', (name) => {
    const pod = release.podOf(name);
    const { livenessProbe, readinessProbe, startupProbe, lifecycle, ports } = release.containerOf(name);
    const environment = release.environmentOf(name);
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
    expect(release.find('PodDisruptionBudget', name)?.spec['maxUnavailable']).toBe(1);
    const target = workloads().find(({ metadata }) => metadata.name === name);
    expect(release.find('HorizontalPodAutoscaler', name)?.spec['scaleTargetRef']).toMatchObject({ kind: target?.kind, name });
    const asked = { http: Number(environment['PORT']), metrics: Number(environment['METRICS_PORT']) };
    expect(ports).toEqual(Object.entries(asked).map(([each, containerPort]) => ({ name: each, containerPort })));
    expect(release.find('Service', name)?.spec['ports']).toEqual(
      Object.entries(asked).map(([each, port]) => ({ name: each, port, targetPort: each })),
    );
  });

  it.each(SERVICES)('%s has memory for its heap, the young generation included, and a fifth besides', (name) => {
    const readOption = (option: string): string | undefined =>
      new RegExp(`--${option}=(\\d+)`).exec(release.environmentOf(name)['NODE_OPTIONS'] ?? '')?.[1];
    const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(String(release.containerOf(name).resources.limits?.['memory'])) ?? [];
    const heapMib = Number(readOption('max-old-space-size')) + 3 * Number(readOption('max-semi-space-size') ?? 16);
    expect(heapMib / (Number(amount) * (unit === 'Gi' ? 1024 : 1))).toBeLessThanOrEqual(0.82);
  });

  it('how many there are is the autoscaler’s to say: a number here would be restored by every upgrade', () => {
    for (const { metadata, spec } of workloads()) {
      expect(spec).not.toHaveProperty('replicas');
      expect(Number(release.find('HorizontalPodAutoscaler', metadata.name)?.spec['minReplicas'])).toBeGreaterThanOrEqual(2);
    }
  });

  it('journals are on volumes that outlive their pods', () => {
    const writers = SERVICES.filter((name) => 'JOURNAL_DIR' in release.environmentOf(name));
    expect(writers.sort()).toEqual(['chat-translator', 'media-service']);
    for (const name of writers) {
      expect(release.find('StatefulSet', name)?.spec['persistentVolumeClaimRetentionPolicy']).toEqual({
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
      });
      expect(release.environmentOf(name)['JOURNAL_DIR']).toMatch(/^\/var\/lib\/weir\//);
      expect(release.containerOf(name).volumeMounts).toContainEqual({ name: 'journal', mountPath: '/var/lib/weir' });
    }
  });

  it.each([...SERVICES, 'migrations'])('%s reads all settings that it is given anywhere, and needs no others', (name) => {
    for (const each of [release, ...regions.values()]) expect(checkEnvironment(name, each.environmentOf(name))).toEqual([]);
  });

  it.each(REGIONS)('the gateway of %s is that region everywhere, and knows the others', (region) => {
    const its = regions.get(region) as Release;
    expect(its.environmentOf('edge-router')['DEPLOYMENT_REGION']).toBe(region);
    for (const other of REGIONS.filter((each) => each !== region)) {
      expect(its.environmentOf('edge-router')['REGIONAL_ADDRESSES']).toContain(`${other}=https://${other}.`);
    }
    expect(its.find('HTTPRoute', 'weir')?.spec['hostnames']).toEqual([`${region}.gateway.example`]);
    expect(its.environmentOf('media-service')['S3_BUCKET']).toBe(`weir-files-${region}`);
  });

  it('what a pod takes from secrets is made by the page that says how to install', () => {
    const volumes = PODS.flatMap((name) => release.podOf(name).volumes);
    const sources = volumes.flatMap(({ secret, projected }) => [secret, ...(projected?.sources.map((source) => source.secret) ?? [])]);
    const keys = sources.flatMap((source) => source?.items?.map(({ key }) => key) ?? []);
    const made = [...read('docs', 'kubernetes.md').matchAll(/--from-literal=([a-z-]+)=/g)].map(([, key]) => key);
    expect([...new Set(made)].sort()).toEqual([...new Set(keys)].sort());
  });
});
