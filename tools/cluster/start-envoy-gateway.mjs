import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './build-programs.mjs';
import { CERTIFICATES } from './own-network.mjs';
import { startProgram } from './start-control-plane.mjs';
import { CACHE, ENVOY } from './versions.mjs';

const NAMESPACE = 'envoy-gateway-system';

/** The class of Gateways that Envoy Gateway serves, by an Envoy of this machine. */
const CLASS = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: 'here', namespace: NAMESPACE },
    spec: { provider: { type: 'Host', host: { envoyVersion: ENVOY } } },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'envoy' },
    spec: {
      controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
      parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'here', namespace: NAMESPACE },
    },
  },
];

/** Certificates of one authority for Envoy Gateway and for Envoy, as the job of its own chart makes them: in secrets, and here in files. */
async function makeCertificates(api, environment, config) {
  await promisify(execFile)(findProgram('envoy-gateway'), ['certgen', '--disable-topology-injector'], {
    env: { ...process.env, ...environment },
  });
  const folders = { 'envoy-gateway': CERTIFICATES, envoy: join(config, 'certs', 'envoy') };
  for (const [name, folder] of Object.entries(folders)) {
    const { data } = await api.call('GET', `/api/v1/namespaces/${NAMESPACE}/secrets/${name}`);
    mkdirSync(folder, { recursive: true });
    for (const file of ['ca.crt', 'tls.crt', 'tls.key']) writeFileSync(join(folder, file), Buffer.from(data[file], 'base64'));
  }
}

/** Envoy Gateway follows the API server, as in a cluster; Envoy runs beside it, as there are no nodes. */
export async function startEnvoyGateway({ api, kubeconfig }) {
  const folder = join(CACHE, 'gateway-files');
  rmSync(folder, { recursive: true, force: true });
  const program = join(folder, 'data', 'envoy-versions', ENVOY, 'bin');
  mkdirSync(program, { recursive: true });
  copyFileSync(findProgram('envoy'), join(program, 'envoy'));
  for (const object of CLASS) await api.apply(object);
  const host = {
    configHome: join(folder, 'config'),
    dataHome: join(folder, 'data'),
    stateHome: join(folder, 'state'),
    runtimeDir: join(folder, 'run'),
  };
  const settings = {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyGateway',
    gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    provider: {
      type: 'Custom',
      custom: { resource: { type: 'Kubernetes' }, infrastructure: { type: 'Host', host } },
    },
    logging: { level: { default: 'info' } },
  };
  writeFileSync(join(folder, 'settings.yaml'), JSON.stringify(settings));
  const environment = { KUBECONFIG: kubeconfig, ENVOY_GATEWAY_NAMESPACE: NAMESPACE };
  await makeCertificates(api, environment, host.configHome);
  return startProgram('envoy-gateway', ['server', '--config-path', join(folder, 'settings.yaml')], environment);
}
