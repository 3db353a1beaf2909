import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchArtifact, isArtifactCached, run, type Artifact } from './fetch-artifact';
import { announcePart, PART_VARIABLES } from './real-part';

const VERSION = '0.0.21';
const GROOVY = '5.0.8';
const FOLDER = `helm-java-${VERSION}`;
const JARS: readonly (readonly [coordinates: string, file: string])[] = [
  [`com.marcnuri.helm-java:helm-java:${VERSION}`, `helm-java-${VERSION}.jar`],
  [`com.marcnuri.helm-java:lib-api:${VERSION}`, `lib-api-${VERSION}.jar`],
  ['net.java.dev.jna:jna-jpms:5.18.1', 'jna-jpms-5.18.1.jar'],
  [`org.apache.groovy:groovy:${GROOVY}`, `groovy-${GROOVY}.jar`],
];
const JVM_FLAGS = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
/** On a machine that is busy with other tests, too. */
const TIMEOUT_MS = 240_000;

/** Helm itself as a native library, and what it takes to call it: a script, because a JRE has no compiler. */
const HELM: Artifact = {
  coordinates: `com.marcnuri.helm-java:linux-amd64:${VERSION}`,
  folder: FOLDER,
  proof: `groovy-${GROOVY}.jar`,
  unpack: async (staging) => {
    const folder = join(staging, 'jars');
    await mkdir(folder);
    for (const [coordinates] of JARS) {
      await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`], { cwd: staging });
    }
    await rename(join(staging, `linux-amd64-${VERSION}.jar`), join(folder, `linux-amd64-${VERSION}.jar`));
    return folder;
  },
};

const SCRIPT = `
import com.marcnuri.helm.Helm
import java.nio.file.Path
new File(args[0]).eachLine { line ->
  def (chart, kubernetes, out, values) = line.split('\\t', -1)
  try {
    def command = new Helm(Path.of(chart)).template().withName('weir').withNamespace('weir').withKubeVersion(kubernetes)
    values.split(',').findAll { it }.each { command.withValuesFile(Path.of(it)) }
    new File(out).text = command.call()
  } catch (Exception error) {
    new File(out + '.refusal').text = error.message
  }
}
def lint = new Helm(Path.of(args[1])).lint().strict().call()
new File(args[2]).text = (lint.failed ? ['failed'] : []) .plus(lint.messages).join('\\n')
`;

/** Hooks are left out of what the library renders: with another word in their place they are objects like all others. */
const HOOK = 'helm.sh/hook';
const HIDDEN_HOOK = 'hidden.helm.sh/hook';

export type Rendering = { readonly manifest: string } | { readonly refusal: string };
export type RenderedChart = { readonly lint: string; readonly renderings: readonly Rendering[] };

/** True when this machine has what it needs: Linux on x64, java, and Maven unless it was fetched before. */
export function canRunHelm(): boolean {
  const runs = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;
  const isBuiltFor = process.platform === 'linux' && process.arch === 'x64';
  return isBuiltFor && runs('java', '-version') && (isArtifactCached(HELM) || runs('mvn', '-v'));
}

/**
 * What Helm makes of a chart, hooks included: once for each list of values, which are paths of files or the values themselves,
 * later ones over earlier ones.
 */
export async function renderChart(
  chart: string,
  kubernetes: string,
  values: readonly (readonly (string | object)[])[],
): Promise<RenderedChart> {
  const jars = await findJars();
  const folder = await mkdtemp(join(tmpdir(), 'weir-helm-'));
  try {
    const copy = join(folder, 'weir');
    await cp(chart, copy, { recursive: true });
    await hideHooks(join(copy, 'templates'));
    const lines = await Promise.all(
      values.map(async (list, index) =>
        [copy, kubernetes, join(folder, `${index}.yaml`), await writeValues(folder, index, list)].join('\t'),
      ),
    );
    await writeFile(join(folder, 'lines'), lines.join('\n'));
    await writeFile(join(folder, 'run.groovy'), SCRIPT);
    const classpath = ['-cp', join(jars, '*'), 'groovy.ui.GroovyMain'];
    const script = [join(folder, 'run.groovy'), join(folder, 'lines'), chart, join(folder, 'lint')];
    await run('java', [...JVM_FLAGS, ...classpath, ...script], { timeout: TIMEOUT_MS });
    const renderings = await Promise.all(values.map((_, index) => readRendering(join(folder, `${index}.yaml`))));
    return { lint: await readFile(join(folder, 'lint'), 'utf8'), renderings };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The folder with the jars: as the environment names it, or fetched. */
async function findJars(): Promise<string> {
  const given = process.env[PART_VARIABLES.helm] ?? '';
  announcePart('helm', given === '' ? 'local program' : 'environment', 'java with Helm as its library');
  return given === '' ? fetchArtifact(HELM) : given;
}

async function hideHooks(templates: string): Promise<void> {
  for (const name of await readdir(templates, { recursive: true })) {
    if (!name.endsWith('.yaml')) continue;
    const path = join(templates, name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(HOOK, HIDDEN_HOOK));
  }
}

async function writeValues(folder: string, index: number, list: readonly (string | object)[]): Promise<string> {
  const paths = list.map(async (each, place) => {
    if (typeof each === 'string') return each;
    const path = join(folder, `values-${index}-${place}.json`);
    await writeFile(path, JSON.stringify(each));
    return path;
  });
  return (await Promise.all(paths)).join(',');
}

async function readRendering(path: string): Promise<Rendering> {
  const manifest = await readFile(path, 'utf8').catch(() => undefined);
  if (manifest !== undefined) return { manifest: manifest.replaceAll(HIDDEN_HOOK, HOOK) };
  return { refusal: await readFile(`${path}.refusal`, 'utf8') };
}
