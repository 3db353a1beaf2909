import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { endWithProcess } from './end-with-process';
import { fetchKeycloak, isKeycloakCached } from './fetch-keycloak';
import { findFreePort } from './find-free-port';
import { announcePart, PART_VARIABLES } from './real-part';

export type RealKeycloak = {
  readonly url: string;
  /** Of the realm `master`; name and password of the user who may create realms. */
  readonly administrator: { readonly name: string; readonly password: string };
  stop(): Promise<void>;
};

const ADMINISTRATOR = { name: 'admin', password: 'admin' };
const READY_TIMEOUT_MS = 120_000;
/** Characters of what it wrote that a failed start shows. */
const OUTPUT_KEPT = 2_000;
/** Small and quick to start: the serial collector and the first compiler tier cost least on few cores. */
const JVM_FLAGS = '-Xms64m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.awt.headless=true';

/** A Keycloak of the suite's own with its data in memory, unless the environment names one; undefined when none can be had. */
export async function getKeycloak(): Promise<RealKeycloak | undefined> {
  const given = process.env[PART_VARIABLES.keycloak];
  if (given !== undefined && given !== '') {
    announcePart('keycloak', 'environment', PART_VARIABLES.keycloak);
    return { url: given, administrator: ADMINISTRATOR, stop: () => Promise.resolve() };
  }
  if (!canRunKeycloak()) return undefined;
  const port = await findFreePort();
  const child = spawnKeycloak(await fetchKeycloak(), port);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ending = endWithProcess(groupOf(child));
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(child, url);
  announcePart('keycloak', 'local program', `java at ${url}`);
  child.unref();
  return {
    url,
    administrator: ADMINISTRATOR,
    stop: async () => {
      ending.release();
      child.ref();
      process.kill(groupOf(child), 'SIGKILL'); // nothing of it lasts
      await gone;
    },
  };
}

/** True when this machine has what it needs: a shell, java, and Maven unless it was fetched before. */
export function canRunKeycloak(): boolean {
  const runs = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;
  return process.platform !== 'win32' && runs('java', '-version') && (isKeycloakCached() || runs('mvn', '-v'));
}

/** The script waits for the server, so both are in a group of their own and end together. */
function spawnKeycloak(folder: string, port: number): ChildProcess {
  const address = ['--http-enabled=true', '--hostname-strict=false', '--http-host=127.0.0.1', `--http-port=${port}`];
  return spawn(join(folder, 'bin', 'kc.sh'), ['start', '--optimized', '--cache=local', ...address, '--log-level=warn'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      JAVA_OPTS: JVM_FLAGS,
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMINISTRATOR.name,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password,
    },
  });
}

/** The process id that stands for all of its group. */
function groupOf({ pid }: ChildProcess): number {
  return -(pid ?? Number.NaN);
}

/** Reads what it writes, all its life, so that a full pipe never stops it; returns how it ends so far. */
function keepLastOutput(child: ChildProcess): () => string {
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      last = `${last}${text}`.slice(-OUTPUT_KEPT);
    });
  }
  return () => last;
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  const readLastOutput = keepLastOutput(child);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Keycloak ended with code ${child.exitCode}: ${readLastOutput()}`);
    const status = await fetch(`${url}/realms/master`).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > giveUpAt) {
      process.kill(groupOf(child), 'SIGKILL');
      throw new Error(`Keycloak did not serve within ${READY_TIMEOUT_MS} ms: ${readLastOutput()}`);
    }
    await new Promise((resume) => setTimeout(resume, 200));
  }
}
