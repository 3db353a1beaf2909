import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithProcess } from './end-with-process';
import { fetchArtifact, isArtifactCached, type Artifact } from './fetch-artifact';
import { findFreePort } from './find-free-port';
import { announcePart } from './real-part';

export type RealS3 = {
  readonly url: string;
  /** Requests are refused unless they are signed with these. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
};

const VERSION = '3.0.0';
const JAR = 's3proxy.jar';
const READY_TIMEOUT_MS = 60_000;
const JVM_FLAGS = ['-Xms32m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
const CREDENTIALS = { accessKeyId: 'weir-tests', secretAccessKey: 'weir-tests-secret' };

const S3PROXY: Artifact = {
  coordinates: `org.gaul:s3proxy:${VERSION}:jar:jar-with-dependencies`,
  folder: `s3proxy-${VERSION}`,
  proof: JAR,
  unpack: async (staging) => {
    const folder = join(staging, 'server');
    await mkdir(folder);
    await rename(join(staging, `s3proxy-${VERSION}-jar-with-dependencies.jar`), join(folder, JAR));
    return folder;
  },
};

/** A server that speaks S3 and checks signatures, with its buckets in memory; undefined when none can be had. */
export async function getS3(): Promise<RealS3 | undefined> {
  if (!canRunS3()) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'weir-s3-'));
  const url = `http://127.0.0.1:${await findFreePort()}`;
  await writeFile(join(directory, 'settings'), describeSettings(url));
  const jar = join(await fetchArtifact(S3PROXY), JAR);
  const child = spawn('java', [...JVM_FLAGS, '-jar', jar, '--properties', join(directory, 'settings')], { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ending = endWithProcess(child.pid ?? -1);
  await waitUntilReady(child, url);
  announcePart('s3', 'local program', `java at ${url}`);
  child.unref();
  return {
    url,
    credentials: CREDENTIALS,
    stop: async () => {
      ending.release();
      child.ref();
      child.kill('SIGKILL'); // nothing of it lasts
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** True when this machine has what it needs: java, and Maven unless it was fetched before. */
export function canRunS3(): boolean {
  const runs = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;
  return runs('java', '-version') && (isArtifactCached(S3PROXY) || runs('mvn', '-v'));
}

function describeSettings(url: string): string {
  const settings = {
    's3proxy.endpoint': url,
    's3proxy.authorization': 'aws-v4',
    's3proxy.identity': CREDENTIALS.accessKeyId,
    's3proxy.credential': CREDENTIALS.secretAccessKey,
    'jclouds.provider': 'transient',
    'jclouds.identity': 'local',
    'jclouds.credential': 'local',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the S3 server ended with code ${child.exitCode}`);
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`the S3 server did not serve within ${READY_TIMEOUT_MS} ms`);
    }
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
