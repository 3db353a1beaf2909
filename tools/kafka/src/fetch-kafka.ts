import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The version our client is proven with; see docs/decisions/0006-kafka-version.md. */
export const KAFKA_VERSION = '3.9.1';

const run = promisify(execFile);
const FETCH_TIMEOUT_MS = 10 * 60_000;
const REPOSITORY_ROOT = join(__dirname, '..', '..', '..');

/** Where a version's jars are kept unless the caller says otherwise. */
function kafkaCacheFolder(version: string): string {
  return join(REPOSITORY_ROOT, '.tmp', `kafka-${version}`);
}

export function isKafkaCached(version: string, cacheFolder = kafkaCacheFolder(version)): boolean {
  return existsSync(join(cacheFolder, 'lib', `kafka_2.13-${version}.jar`));
}

/**
 * Returns the folder with the broker's jars, fetching them by Maven coordinates once. The jars are gathered beside the
 * cache and moved there whole, so that a broken or parallel fetch never leaves half a broker behind.
 */
export async function fetchKafka(version = KAFKA_VERSION, cacheFolder = kafkaCacheFolder(version)): Promise<string> {
  const jars = join(cacheFolder, 'lib');
  if (isKafkaCached(version, cacheFolder)) return jars;
  await mkdir(dirname(cacheFolder), { recursive: true });
  const staging = await mkdtemp(join(dirname(cacheFolder), `.kafka-${version}-`));
  try {
    await writeFile(join(staging, 'pom.xml'), describeProject(version));
    await run(
      'mvn',
      ['-q', '-B', '-f', join(staging, 'pom.xml'), 'dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'],
      {
        cwd: staging,
        timeout: FETCH_TIMEOUT_MS,
      },
    );
    await moveIntoPlace(staging, cacheFolder, jars);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return jars;
}

async function moveIntoPlace(staging: string, cacheFolder: string, jars: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  try {
    await rename(join(staging, 'lib'), jars);
  } catch (error) {
    // Another process fetched the same version meanwhile: its copy is as good as ours.
    if (!existsSync(jars)) throw error;
  }
}

/** slf4j-nop, because the broker would otherwise complain on stderr about a missing logger at every start. */
function describeProject(version: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>weir</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;
}
