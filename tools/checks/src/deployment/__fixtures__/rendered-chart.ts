import { renderChart } from '@weir/testing';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT, type Container, type Manifest, type PodSpec } from './deployment-files';

export const CHART = join(ROOT, 'k8s', 'chart');
export const REGIONS = ['eu', 'us', 'ap'];
/** The oldest that the chart allows. */
const KUBERNETES = '1.30.0';

/** Files of values of the chart, or values themselves, later ones over earlier ones. */
export type Values = readonly (string | object)[];

export type Rendered = { readonly lint: string; readonly releases: readonly Release[] };

/** What Helm makes of the chart for each of these. */
export async function renderReleases(all: readonly Values[]): Promise<Rendered> {
  const lists = all.map((values) => values.map((each) => (typeof each === 'string' ? join(CHART, each) : each)));
  const { lint, renderings } = await renderChart(CHART, KUBERNETES, lists);
  return {
    lint,
    releases: renderings.map((rendering) => ('manifest' in rendering ? readRelease(rendering.manifest) : refused(rendering.refusal))),
  };
}

/** Objects of one rendering, and questions about them. */
export type Release = {
  readonly refusal: string;
  readonly manifests: readonly Manifest[];
  find(kind: string, name: string): Manifest | undefined;
  ofKind(...kinds: string[]): Manifest[];
  podOf(name: string): PodSpec;
  containerOf(name: string): Container;
  /** As the container gets it: its config map, then its own; without secrets that may be missing. */
  environmentOf(name: string): Record<string, string>;
};

function refused(refusal: string): Release {
  return { ...describe([]), refusal };
}

function readRelease(text: string): Release {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as Manifest | null);
  return { ...describe(documents.filter((document) => document !== null)), refusal: '' };
}

function describe(manifests: readonly Manifest[]): Omit<Release, 'refusal'> {
  const ofKind = (...kinds: string[]): Manifest[] => manifests.filter(({ kind }) => kinds.includes(kind));
  const find = (kind: string, name: string): Manifest | undefined => ofKind(kind).find(({ metadata }) => metadata.name === name);
  const podOf = (name: string): PodSpec => {
    const owner = ofKind('Deployment', 'StatefulSet', 'Job').find(({ metadata }) => metadata.name === name);
    const pod = owner?.spec.template?.spec ?? find('Pod', name)?.spec;
    if (pod === undefined) throw new Error(`nothing runs ${name}`);
    return pod as PodSpec;
  };
  const containerOf = (name: string): Container => podOf(name).containers[0] as Container;
  const environmentOf = (name: string): Record<string, string> => {
    const { env = [], envFrom = [] } = containerOf(name);
    const maps = envFrom.map(({ configMapRef }) => (configMapRef === undefined ? {} : find('ConfigMap', configMapRef.name)?.data));
    const own = env.flatMap(({ name: setting, value }) => (value === undefined ? [] : [[setting, value]]));
    return { ...(Object.assign({}, ...maps) as Record<string, string>), ...(Object.fromEntries(own) as Record<string, string>) };
  };
  return { manifests, find, ofKind, podOf, containerOf, environmentOf };
}
