// Proves the chart on a real API server, and its Gateway with a real Envoy before processes of this checkout; see README.md.
import { buildPrograms } from './build-programs.mjs';
import { runInOwnNetwork } from './own-network.mjs';
import { proveGateway, restartUnderLoad, startServices } from './prove-gateway.mjs';
import { startControlPlane } from './start-control-plane.mjs';
import { startEnvoyGateway } from './start-envoy-gateway.mjs';
import { createHelm, defineKinds, installAndUpgrade, makeNamespace, tryEveryValuesFile } from './try-chart.mjs';

const withGateway = !process.argv.includes('--no-gateway');
buildPrograms({ withGateway });
const exitCode = runInOwnNetwork(process.argv[1], process.argv.slice(2));
if (exitCode !== undefined) process.exit(exitCode);

const startedMs = Date.now();
const report = (text) => console.log(`${((Date.now() - startedMs) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const stops = [];

async function prove() {
  const cluster = await startControlPlane();
  stops.push(cluster.stop);
  const { api, kubeconfig } = cluster;
  report(`kube-apiserver ${(await api.call('GET', '/version')).gitVersion} serves`);
  report(`${await defineKinds(api)} definitions are in force`);
  await makeNamespace(api);
  const helm = createHelm(kubeconfig);
  const { files, tried, unknown } = await tryEveryValuesFile(api, helm);
  report(
    `${tried} objects and pods of ${files} sets of values pass --dry-run=server --validate=strict; unknown: ${unknown.join(', ') || 'none'}`,
  );
  const { steps, jobs } = await installAndUpgrade(api, helm, ['host=', 'gateway.tlsSecret=']);
  report(`installed, and upgraded in three steps; ${jobs} jobs ran before`);
  steps.forEach((images, step) =>
    report(
      `  step ${step}: ${Object.entries(images)
        .map((pair) => pair.join(' '))
        .join(', ')}`,
    ),
  );
  if (!withGateway) return;
  const gateway = await startEnvoyGateway(cluster);
  stops.push(gateway.stop);
  report('Envoy Gateway follows the API server');
  const services = await startServices();
  stops.push(services.stop);
  report('two processes of every service are ready');
  const target = await proveGateway({ api, gateway, services, report });
  const { restarts, prices, failures } = await restartUnderLoad(api, services, target);
  report(`${restarts} restarts under load: ${prices.length} priced replies, ${failures.length} failed`);
  for (const failure of failures) report(`  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

async function stopAll() {
  for (const stop of stops.splice(0).reverse()) await stop().catch((error) => console.error(error.message));
}

process.once('SIGINT', () => void stopAll().then(() => process.exit(130)));
try {
  await prove();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stopAll();
  // What was started by a step that failed ends with this process.
  process.exit();
}
