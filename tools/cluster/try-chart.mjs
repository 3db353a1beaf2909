import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchModule, findProgram } from './build-programs.mjs';
import { parseObjects } from './kube-api.mjs';
import { waitFor } from './start-control-plane.mjs';
import { CACHE, DEFINITIONS, ROOT } from './versions.mjs';

const CHART = join(ROOT, 'k8s', 'chart');
export const NAMESPACE = 'weir';
const SECRETS = ['database-url', 'key-pepper', 'passport-secret', 'sealing-key', 'bootstrap-api-key'];

/** Helm itself, with access to the API server. */
export const createHelm =
  (kubeconfig) =>
  async (...args) => {
    const { stdout } = await promisify(execFile)(findProgram('helm'), [...args, '--namespace', NAMESPACE], {
      env: { ...process.env, KUBECONFIG: kubeconfig, HELM_CACHE_HOME: join(CACHE, 'helm-cache') },
      maxBuffer: 2 ** 26,
    });
    return stdout;
  };

/** Definitions of the projects' own modules; of those that are in none, files of the folder `definitions` in the cache. */
export async function defineKinds(api) {
  const texts = DEFINITIONS.flatMap(([module, files]) => {
    const { Dir } = fetchModule(module);
    return files.map((file) => readFileSync(join(Dir, file), 'utf8'));
  });
  const given = join(CACHE, 'definitions');
  for (const name of listYaml(given)) texts.push(readFileSync(join(given, name), 'utf8'));
  const objects = texts.flatMap(parseObjects).filter(({ kind }) => kind === 'CustomResourceDefinition');
  for (const object of objects) await api.apply({ ...object, status: undefined });
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await waitFor('the definitions', async () => {
    const { items } = await api.call('GET', path);
    const isServed = ({ status }) => status.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True');
    return items.every(isServed) ? true : undefined;
  });
  return objects.length;
}

function listYaml(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  } catch {
    return [];
  }
}

export async function makeNamespace(api, secrets = {}) {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' };
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } });
  const stringData = Object.fromEntries(SECRETS.map((key) => [key, secrets[key] ?? 'x'.repeat(43)]));
  await api.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'weir' }, stringData }, { namespace: NAMESPACE });
}

/** What the server would do with every object of every values file, and with the pods that they make. */
export async function tryEveryValuesFile(api, helm) {
  const files = readdirSync(CHART).filter((name) => /^values-.*\.yaml$/.test(name));
  const sets = [[], ...files.map((name) => ['--values', join(CHART, name)])];
  const texts = await Promise.all(sets.map((values) => helm('template', 'weir', CHART, ...values)));
  const objects = texts.flatMap(parseObjects).flatMap((object) => [object, ...listPods(object)]);
  const unknown = new Set();
  for (const object of objects) {
    const problem = await tryObject(api, object);
    if (problem !== undefined) unknown.add(problem);
  }
  return { files: sets.length, tried: objects.length, unknown: [...unknown] };
}

/** Returns the kind where the server has no definition of it; throws what it would refuse. */
async function tryObject(api, object) {
  try {
    await api.apply(object, { namespace: NAMESPACE, dryRun: true });
    return undefined;
  } catch (error) {
    if (!/the server does not know|: 404 /.test(error.message)) throw error;
    return `${object.apiVersion} ${object.kind}`;
  }
}

/** Pods are made by controllers, which do not run here; whether they may be is asked of themselves. */
function listPods({ kind, metadata, spec }) {
  if (!['Deployment', 'StatefulSet', 'Job'].includes(kind)) return [];
  const { template, volumeClaimTemplates = [] } = spec;
  const claims = volumeClaimTemplates.map((claim) => ({
    name: claim.metadata.name,
    persistentVolumeClaim: { claimName: claim.metadata.name },
  }));
  const pod = { ...template.spec, volumes: [...(template.spec.volumes ?? []), ...claims] };
  return [{ apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name: `${metadata.name}-tried` }, spec: pod }];
}

/** Says of each job that it is done, as nothing runs pods here. */
export function finishJobs(api) {
  let isOver = false;
  const done = [];
  const look = async () => {
    while (!isOver) {
      const { items } = await api.call('GET', `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`).catch(() => ({ items: [] }));
      for (const job of items.filter(({ status }) => !(status.conditions?.length > 0))) {
        const at = new Date().toISOString().replace(/\.\d+/, '');
        const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
          type,
          status: 'True',
          lastTransitionTime: at,
          lastProbeTime: at,
        }));
        const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: job.metadata };
        await api.setStatus(object, { succeeded: 1, startTime: at, completionTime: at, conditions });
        done.push(job.metadata.name);
      }
      await new Promise((resume) => setTimeout(resume, 200));
    }
  };
  const looking = look();
  return {
    done,
    stop: async () => {
      isOver = true;
      await looking;
    },
  };
}

/** Which image each service has, by what the server keeps. */
export async function readImages(api) {
  const images = {};
  for (const plural of ['deployments', 'statefulsets']) {
    const { items } = await api.call('GET', `/apis/apps/v1/namespaces/${NAMESPACE}/${plural}`);
    for (const { metadata, spec } of items) images[metadata.name] = spec.template.spec.containers[0].image.split(':').at(-1);
  }
  return images;
}

/** Installs it, and upgrades it in its three steps; returns the images after each. */
export async function installAndUpgrade(api, helm, values) {
  const chosen = values.flatMap((each) => ['--set', each]);
  const jobs = finishJobs(api);
  try {
    const base = [...chosen, '--values', join(CHART, 'values-eu.yaml'), '--timeout', '2m'];
    await helm('install', 'weir', CHART, ...base, '--set', 'image.tag=0.1.0');
    const steps = [await readImages(api)];
    for (const step of [1, 2, 3]) {
      const upgrade = ['--set', 'image.tag=0.2.0', '--set', `upgrade.step=${step}`, '--set', 'upgrade.from.tag=0.1.0'];
      await helm('upgrade', 'weir', CHART, ...base, ...upgrade);
      steps.push(await readImages(api));
    }
    return { steps, jobs: jobs.done.length };
  } finally {
    await jobs.stop();
  }
}
