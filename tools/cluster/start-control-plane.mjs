import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from './build-programs.mjs';
import { KubeApi } from './kube-api.mjs';
import { ADDRESS } from './own-network.mjs';
import { CACHE } from './versions.mjs';

const READY_TIMEOUT_MS = 180_000;

export async function findFreePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a program with its output in a file; `stop` ends that process alone. */
export function startProgram(name, args, env = {}) {
  const log = join(CACHE, `${name}.log`);
  const output = openSync(log, 'w');
  const child = spawn(findProgram(name), args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  return {
    child,
    log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      process.off('exit', end);
      child.kill('SIGTERM');
      await Promise.race([ended, pause(10_000).then(end)]);
    },
  };
}

/** Waits until a question has an answer that is not undefined; an error with `isFinal` ends the waiting. */
export async function waitFor(what, ask, timeoutMs = READY_TIMEOUT_MS) {
  const giveUpAt = Date.now() + timeoutMs;
  let cause;
  for (;;) {
    const found = await ask().catch((error) => {
      if (error.isFinal === true) throw error;
      cause = error;
    });
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`${what} did not come within ${timeoutMs} ms`, { cause });
    await pause(200);
  }
}

/** etcd and kube-apiserver on loopback, with everything in a folder of their own that is removed at the next start. */
export async function startControlPlane() {
  const folder = join(CACHE, 'control-plane');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [client, peer, port] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const etcd = startProgram('etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync',
  ]);
  const token = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'tokens'), `${token},admin,admin,system:masters\n`);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(folder, 'accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const server = startProgram('kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${client}`,
    `--bind-address=127.0.0.1`,
    `--advertise-address=${ADDRESS}`,
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    `--token-auth-file=${join(folder, 'tokens')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'accounts.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
    // Nothing makes service accounts here: their controller is not part of this.
    '--disable-admission-plugins=ServiceAccount',
  ]);
  const certificate = join(folder, 'certificates', 'apiserver.crt');
  const api = await waitFor('the API server', async () => {
    if (server.hasEnded()) throw new Error(`kube-apiserver ended, see ${server.log}`);
    const made = new KubeApi({ port, token, ca: readFileSync(certificate) });
    return (await made.call('GET', '/readyz')) === 'ok' ? made : undefined;
  });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, describeAccess(port, certificate, token));
  return {
    api,
    kubeconfig,
    stop: async () => {
      await server.stop();
      await etcd.stop();
    },
  };
}

function describeAccess(port, certificate, token) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'weir',
    clusters: [{ name: 'weir', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': certificate } }],
    contexts: [{ name: 'weir', context: { cluster: 'weir', user: 'weir' } }],
    users: [{ name: 'weir', user: { token } }],
  });
}
