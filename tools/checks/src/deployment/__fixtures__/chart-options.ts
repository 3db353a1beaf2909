import type { Values } from './rendered-chart';

export const DIGEST = `sha256:${'a'.repeat(64)}`;
const ON_ARM = { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] };
const APART = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'edge-router' } } };
export const ACCOUNTS = { accounts: [{ id: 'one', provider: 'openai', fields: { api_key: { file: '/etc/weir/keys/one' } } }] };

/** What can be set, each tried by itself. */
export const OPTIONS = {
  plain: [{ monitoring: { enabled: true }, autoscaling: { customMetrics: true } }],
  ownRunbooks: [{ monitoring: { enabled: true, runbookBaseUrl: 'https://wiki.example/weir' } }],
  bare: [],
  kafkaLogin: [{ stores: { kafkaSettings: { KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'weir' } } }],
  redisPassword: [{ secrets: { redisUrl: { existingSecret: 'redis-of-ours', key: 'uri' } } }],
  tuned: [
    {
      serviceAccount: { create: false, name: 'ours' },
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [ON_ARM] }] } },
      },
      extraEnv: [{ name: 'TZ', value: 'UTC' }],
      monitoring: { dashboards: { enabled: true, labels: { grafana_dashboard: 'yes' } } },
      podAnnotations: { 'of.all/pods': 'a', 'of.one/service': 'b' },
      services: {
        edgeRouter: {
          affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [APART] } },
          extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' }],
          sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1' }],
          annotations: { 'of.the/deployment': 'c' },
          podAnnotations: { 'of.one/service': 'd' },
          serviceAnnotations: { 'of.the/service': 'e' },
        },
      },
    },
  ],
  try: ['values-try.yaml'],
  ingress: ['values-ingress-nginx.yaml', { host: 'ai.example.com' }],
  ownGateway: [
    { gateway: { enabled: true, create: false, parentRefs: [{ name: 'shared', namespace: 'gateways' }], envoy: { enabled: true } } },
  ],
  externalSecrets: [
    {
      externalSecrets: {
        enabled: true,
        storeRef: { name: 'vault' },
        remoteKey: 'weir/eu',
        keys: { 'key-pepper': { remoteKey: 'weir/peppers', property: 'now' } },
        optionalKeys: ['key-pepper-previous'],
        providersRemoteKey: 'weir/providers',
      },
    },
  ],
  files: [
    {
      providers: { accounts: { document: ACCOUNTS } },
      catalog: { existingConfigMap: 'models' },
      mounts: [{ name: 'keys', secret: 'provider-keys', mountPath: '/etc/weir/keys' }],
    },
  ],
  configuration: [{ configuration: { document: { version: 1 } } }],
  models: [{ catalog: { document: [{ id: 'groq/our-model' }] } }],
  clickhouse: [{ stores: { clickhouse: { url: 'http://clickhouse.stores:8123' }, usageStore: 'clickhouse' } }],
  storesAlone: ['values-try.yaml', { servicesEnabled: false }],
  secondStep: [{ image: { digest: DIGEST }, upgrade: { step: 2, from: { tag: '0.0.9' } } }],
  fixed: [
    { autoscaling: { enabled: false }, monitoring: { enabled: false }, networkPolicies: { enabled: false }, tests: { enabled: false } },
  ],
  byCpu: [{ autoscaling: { customMetrics: false } }],
  more: [{ extraObjects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-more' } }] }],
} satisfies Record<string, Values>;

/** What the chart refuses, and why. */
export const REFUSED: readonly (readonly [values: object, reason: RegExp])[] = [
  [{ services: { edgeRouter: { setings: {} } } }, /setings/],
  [{ services: { edgeRouter: { settings: { PORT: 4000 } } } }, /PORT/],
  [{ services: { edgeRouter: { resources: { limits: { memory: 'much' } } } } }, /memory/],
  [{ services: { edgeRouter: { settings: { REQEST_TIMEOUT_MS: '1' } } } }, /REQEST_TIMEOUT_MS/],
  [{ services: { edgeRouter: { settings: { JOURNAL_DIR: '/tmp' } } } }, /JOURNAL_DIR/],
  [{ monitoring: { enabled: 'perhaps' } }, /monitoring/],
  [{ monitoring: { runbookBaseUrl: 'docs/runbooks.md' } }, /runbookBaseUrl/],
  [{ region: 'mars' }, /region/],
  [{ stores: { usageStore: 'mysql' } }, /usageStore/],
  [{ gateway: { enabled: true } }, /gateway\.className/],
  [{ gateway: { enabled: true, create: false } }, /parentRefs/],
  [{ externalSecrets: { enabled: true } }, /storeRef/],
  [{ upgrade: { step: 1 } }, /upgrade\.from/],
  [{ mounts: [{ name: 'keys', mountPath: '/keys' }] }, /mounts/],
];
