import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createPublisher } from './publish-processes.mjs';
import { askChat, startLoad } from './send-load.mjs';
import { waitFor } from './start-control-plane.mjs';
import { NAMESPACE } from './try-chart.mjs';
import { ROOT } from './versions.mjs';

const requireBuilt = createRequire(import.meta.url);
/** Those that a Gateway sends to. */
const PUBLISHED = ['edge-router', 'management-api'];
/** How long it takes until all know that a pod ends, beside the chart's preStop. */
const SEEN_AFTER_MS = 1000;
const UPLOAD_BYTES = 24 * 1024 ** 2;
const LOAD = { callers: 6, pauseMs: 100, streams: 6, stream: '!tokens 60 !gap 25' };
/** Longer than anything in between would wait for silence by default. */
const SLOW_STREAM = '!tokens 30 !gap 1000';

/** Two processes of each service of this checkout, with real stores. */
export async function startServices() {
  const harness = (name) => requireBuilt(join(ROOT, 'apps', 'gateway-e2e', 'dist', 'harness', `${name}.js`));
  const parts = await harness('take-real-parts').takeRealParts();
  const more = { HOST: '0.0.0.0', DRAIN_DELAY_MS: '4000', DRAIN_TIMEOUT_MS: '60000' };
  const services = await harness('start-composed').startComposed(parts, { replicas: 2, more });
  return {
    ...services,
    stop: async () => {
      await services.stop();
      await parts.stop();
    },
  };
}

/** The address at which Envoy serves the chart's Gateway. */
async function findGateway(api, gateway) {
  const path = `/apis/gateway.networking.k8s.io/v1/namespaces/${NAMESPACE}`;
  const isTrue = (conditions, type) => conditions?.some((each) => each.type === type && each.status === 'True');
  await waitFor('a route that is accepted', async () => {
    if (gateway.hasEnded()) throw Object.assign(new Error(`Envoy Gateway ended, see ${gateway.log}`), { isFinal: true });
    const { status } = await api.call('GET', `${path}/httproutes/weir`);
    const [parent] = status?.parents ?? [];
    return isTrue(parent?.conditions, 'Accepted') && isTrue(parent?.conditions, 'ResolvedRefs') ? true : undefined;
  });
  // Of privileged ports, those that an Envoy without privileges listens at.
  const candidates = [10080, 80];
  return waitFor('Envoy', async () => {
    for (const port of candidates) {
      const url = `http://127.0.0.1:${port}`;
      const reply = await fetch(`${url}/readyz`).catch(() => undefined);
      if (reply?.status === 200) return url;
    }
  });
}

export async function proveGateway({ api, gateway, services, report }) {
  const publish = createPublisher(api, NAMESPACE);
  for (const service of PUBLISHED) {
    for (const [replica, port] of services.portsOf(service).entries()) await publish(service, replica, port, { ready: true });
  }
  const url = await findGateway(api, gateway);
  const target = { url, key: services.apiKey };
  report(`Envoy serves the Gateway of the chart at ${url}`);
  report(`a priced reply, whole: ${await askChat(target, 'hello', false)} USD`);
  const startedMs = Date.now();
  report(`a stream of silences: ${await askChat(target, SLOW_STREAM, true)} USD, ${Date.now() - startedMs} ms`);
  report(`an upload of ${UPLOAD_BYTES / 1024 ** 2} MiB: ${await upload(target)}`);
  report(
    `management and console by their paths: ${(await Promise.all(['/v1/manage/org', '/console'].map((path) => statusOf(target, path)))).join(', ')}`,
  );
  report(`helm test's script: ${await runTest(target)}`);
  return target;
}

async function upload({ url, key }) {
  const form = new FormData();
  form.append('purpose', 'user_data');
  form.append('file', new Blob([randomBytes(UPLOAD_BYTES)]), 'large.bin');
  const reply = await fetch(`${url}/v1/files`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`the upload: ${reply.status} ${text.slice(0, 300)}`);
  return `${JSON.parse(text).bytes} bytes kept`;
}

async function statusOf({ url, key }, path) {
  const { status } = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return `${path} ${status}`;
}

/** What the pod of `helm test` runs. */
async function runTest({ url, key }) {
  const file = join(ROOT, 'k8s', 'chart', 'files', 'priced-reply.mjs');
  const { mkdtempSync, writeFileSync } = await import('node:fs');
  const keyFile = join(mkdtempSync(join((await import('node:os')).tmpdir(), 'weir-key-')), 'key');
  writeFileSync(keyFile, key);
  const env = { GATEWAY_URL: url, MANAGEMENT_URL: url, MODEL: 'sandbox/chat', API_KEY_FILE: keyFile };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  return stdout.trim().replaceAll('\n', '; ');
}

/** Restarts every process of every service, one after the other, while callers ask through the Gateway. */
export async function restartUnderLoad(api, services, target) {
  const publish = createPublisher(api, NAMESPACE);
  const load = startLoad(target, LOAD);
  await pause(2000);
  let restarts = 0;
  for (const replica of [0, 1]) {
    for (const service of ['usage-aggregator', 'chat-translator', 'media-service', 'edge-router', 'management-api']) {
      const port = services.portsOf(service)[replica];
      const isPublished = PUBLISHED.includes(service);
      if (isPublished) await publish(service, replica, port, { ready: false, terminating: true });
      if (isPublished) await pause(SEEN_AFTER_MS);
      await services.restart(service, replica);
      if (isPublished) await publish(service, replica, port, { ready: true });
      restarts += 1;
    }
  }
  await pause(2000);
  return { restarts, ...(await load.stop()) };
}
