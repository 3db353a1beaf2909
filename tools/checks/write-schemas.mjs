// Writes schemas/: what an API server would take of the kinds that the chart makes, from the definitions their projects publish.
//   node tools/checks/write-schemas.mjs [NAME …]   needs Go, Maven and a Java 21 (JAVA_21, or `java`); NAME: these files of schemas/ alone
//   REDIS_OPERATOR=<clone of OT-CONTAINER-KIT/redis-operator> adds that operator, which publishes in no registry; without it its file stays
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { parseAllDocuments } = createRequire(import.meta.url)('yaml');
const TARGET = join(import.meta.dirname, 'schemas');
const KUBERNETES = 'k8s.io/kubernetes@v1.37.2';
const STRIMZI = '1.2.0';
const REDIS = { version: 'v0.26.0', file: 'config/crd/bases/redis.redis.opstreelabs.in_redis.yaml' };

const OWN_KINDS = {
  '': ['v1', ['ConfigMap', 'Pod', 'Secret', 'Service', 'ServiceAccount']],
  apps: ['v1', ['Deployment', 'StatefulSet']],
  batch: ['v1', ['Job']],
  autoscaling: ['v2', ['HorizontalPodAutoscaler']],
  'networking.k8s.io': ['v1', ['Ingress', 'NetworkPolicy']],
  policy: ['v1', ['PodDisruptionBudget']],
};
const GATEWAY_API = 'config/crd/standard/gateway.networking.k8s.io';
const ENVOY = 'charts/gateway-helm/charts/crds/crds/generated/gateway.envoyproxy.io';
const OPERATOR = 'example/prometheus-operator-crd/monitoring.coreos.com';
const CUSTOM = [
  ['sigs.k8s.io/gateway-api@v1.6.3', [`${GATEWAY_API}_gateways.yaml`, `${GATEWAY_API}_httproutes.yaml`]],
  ['github.com/envoyproxy/gateway@v1.9.1', [`${ENVOY}_backendtrafficpolicies.yaml`, `${ENVOY}_clienttrafficpolicies.yaml`]],
  ['github.com/cloudnative-pg/cloudnative-pg@v1.28.0', ['config/crd/bases/postgresql.cnpg.io_clusters.yaml']],
  ['github.com/external-secrets/external-secrets@v1.3.2', ['config/crds/bases/external-secrets.io_externalsecrets.yaml']],
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', [`${OPERATOR}_servicemonitors.yaml`, `${OPERATOR}_prometheusrules.yaml`]],
];

/** Words for people, and rules that only a server carries out. */
const LEFT_OUT = new Set(['description', 'default', 'example', 'title', 'externalDocs', 'nullable']);

/** Only what decides whether an object has the right shape. */
function slim(node) {
  if (Array.isArray(node)) return node.map(slim);
  if (node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).filter(([name]) => !LEFT_OUT.has(name) && !/^x-kubernetes-(?!int-or-string|preserve)/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'properties' ? slimAll(value) : slim(value)]));
}
const slimAll = (properties) => Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, slim(value)]));

function findModule(coordinates) {
  const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', coordinates], { encoding: 'utf8' }));
  return Dir;
}

function readOwnKinds() {
  const { definitions } = JSON.parse(readFileSync(join(findModule(KUBERNETES), 'api/openapi-spec/swagger.json'), 'utf8'));
  const kept = {};
  const keep = (name) => {
    if (name in kept) return;
    kept[name] = slim(definitions[name]);
    for (const [, other] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) keep(other);
  };
  const kinds = {};
  for (const [group, [version, names]] of Object.entries(OWN_KINDS)) {
    for (const kind of names) {
      const isIt = (each) => each.group === group && each.version === version && each.kind === kind;
      const [name, definition] = Object.entries(definitions).find(([, each]) => each['x-kubernetes-group-version-kind']?.some(isIt));
      delete definition.properties.status;
      kinds[`${group === '' ? '' : `${group}/`}${version} ${kind}`] = { $ref: `#/definitions/${name}` };
      keep(name);
    }
  }
  return { from: KUBERNETES, kinds, definitions: kept };
}

/** The version v1, or all where there is none; no status. */
function readCustomKinds(from, texts) {
  const kinds = {};
  for (const { spec } of texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))) {
    const versions = spec.versions.filter(({ name }) => name === 'v1');
    for (const { name, schema } of versions.length > 0 ? versions : spec.versions) {
      const properties = { ...schema.openAPIV3Schema.properties };
      delete properties.status;
      kinds[`${spec.group}/${name} ${spec.names.kind}`] = slim({ ...schema.openAPIV3Schema, properties });
    }
  }
  return { from, kinds };
}

/** Its definitions are made from its classes. */
function makeStrimzi() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-strimzi-'));
  try {
    const dependency = (name) =>
      `<dependency><groupId>io.strimzi</groupId><artifactId>${name}</artifactId><version>${STRIMZI}</version></dependency>`;
    const project = `<modelVersion>4.0.0</modelVersion><groupId>weir</groupId><artifactId>strimzi</artifactId><version>1</version>`;
    writeFileSync(
      join(folder, 'pom.xml'),
      `<project xmlns="http://maven.apache.org/POM/4.0.0">${project}<dependencies>${['crd-generator', 'api'].map(dependency).join('')}</dependencies></project>`,
    );
    execFileSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'], { cwd: folder });
    const targets = { 'kafka.Kafka': 'kafka.yaml', 'nodepool.KafkaNodePool': 'pool.yaml' };
    const asked = Object.entries(targets).map(([name, file]) => `io.strimzi.api.kafka.model.${name}=${join(folder, file)}`);
    const generator = ['-cp', join(folder, 'lib', '*'), 'io.strimzi.crdgenerator.CrdGenerator', '--yaml', ...asked];
    execFileSync(process.env.JAVA_21 ?? 'java', generator, { stdio: 'inherit' });
    return Object.values(targets).map((file) => readFileSync(join(folder, file), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of a clone, whose work tree is not looked at. */
function readRedisOperator(clone) {
  const text = execFileSync('git', ['-C', clone, 'show', `${REDIS.version}:${REDIS.file}`], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  return readCustomKinds(`github.com/OT-CONTAINER-KIT/redis-operator@${REDIS.version}`, [text]);
}

/** A kind, or a definition, a line: so that a change shows where it is. */
function write(name, make) {
  const names = process.argv.slice(2);
  if (names.length > 0 && !names.includes(name)) return;
  const { from, kinds, definitions = {} } = make();
  const rows = (entries) =>
    Object.entries(entries)
      .sort()
      .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  writeFileSync(
    join(TARGET, `${name}.json`),
    `{ "from": ${JSON.stringify(from)},\n"kinds": {\n${rows(kinds)}\n},\n"definitions": {\n${rows(definitions)}\n} }\n`,
  );
}

mkdirSync(TARGET, { recursive: true });
write('kubernetes', readOwnKinds);
for (const [module, files] of CUSTOM) {
  const name = /([^/]+)@/.exec(module)[1];
  write(name === 'gateway' ? 'envoy-gateway' : name, () => {
    const folder = findModule(module);
    return readCustomKinds(
      module,
      files.map((file) => readFileSync(join(folder, file), 'utf8')),
    );
  });
}
write('strimzi', () => readCustomKinds(`io.strimzi:crd-generator:${STRIMZI}`, makeStrimzi()));
if (process.env.REDIS_OPERATOR !== undefined) write('redis-operator', () => readRedisOperator(process.env.REDIS_OPERATOR));
