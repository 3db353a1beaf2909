import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTestFolder } from '../folders';
import { endWithProcess } from './end-with-process';
import { findFreePort } from './find-free-port';
import { findProgram } from './find-program';
import { announcePart, PART_VARIABLES } from './real-part';

export type RealPrometheus = {
  readonly url: string;
  stop(): Promise<void>;
};

const READY_TIMEOUT_MS = 15_000;

/** The folder of Prometheus and its tool: the one that the environment names, or that of the PATH. */
export function findPrometheus(): string | undefined {
  const given = process.env[PART_VARIABLES.prometheus];
  const tool = given === undefined || given === '' ? findProgram('promtool') : join(given, 'promtool');
  const folder = tool === undefined ? undefined : dirname(tool);
  return folder !== undefined && existsSync(join(folder, 'prometheus')) ? folder : undefined;
}

/** A Prometheus of the suite's own with this configuration, which keeps exemplars; undefined when none can be had. */
export async function getPrometheus(configuration: string): Promise<RealPrometheus | undefined> {
  const folder = findPrometheus();
  if (folder === undefined) return undefined;
  const directory = makeTestFolder('prometheus');
  const file = join(directory, 'prometheus.yml');
  writeFileSync(file, configuration);
  const port = await findFreePort();
  const given = [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`, `--web.listen-address=127.0.0.1:${port}`];
  const child = spawn(join(folder, 'prometheus'), [...given, '--enable-feature=exemplar-storage', '--log.level=error'], {
    stdio: 'ignore',
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ending = endWithProcess(child.pid ?? -1);
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    ending.release();
    child.kill('SIGTERM');
    await gone;
    await rm(directory, { recursive: true, force: true });
  };
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`prometheus did not become ready: exit code ${String(child.exitCode)}`);
    }
    await new Promise((resume) => setTimeout(resume, 50));
  }
  announcePart('prometheus', 'local program', `${folder} at ${url}`);
  return { url, stop };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
