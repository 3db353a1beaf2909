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
  const ending = endWithProcess(child.pid ?? -1);
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
      child.kill('SIGKILL'); // nothing of it lasts
      await gone;
    },
  };
}

/** True when this machine has what it needs: a shell, java, and Maven unless it was fetched before. */
export function canRunKeycloak(): boolean {
  const runs = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;
  return process.platform !== 'win32' && runs('java', '-version') && (isKeycloakCached() || runs('mvn', '-v'));
}

/** The script ends in `exec java`, so its process is the server's. */
function spawnKeycloak(folder: string, port: number): ChildProcess {
  const options = ['--db=dev-mem', '--cache=local', '--http-host=127.0.0.1', `--http-port=${port}`, '--log-level=warn'];
  return spawn(join(folder, 'bin', 'kc.sh'), ['start-dev', ...options], {
    stdio: 'ignore',
    env: {
      ...process.env,
      JAVA_OPTS: JVM_FLAGS,
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMINISTRATOR.name,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password,
    },
  });
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Keycloak ended with code ${child.exitCode}`);
    const status = await fetch(`${url}/realms/master`).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`Keycloak did not serve within ${READY_TIMEOUT_MS} ms`);
    }
    await new Promise((resume) => setTimeout(resume, 200));
  }
}
