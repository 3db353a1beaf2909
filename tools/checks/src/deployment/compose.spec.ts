import { DockerfileParser, type From } from 'dockerfile-ast';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { z } from 'zod';
import { checkEnvironment, ENV_SCHEMAS, read, ROOT, SERVICES } from './__fixtures__/deployment-files';

type Service = {
  image: string;
  build?: object;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  privileged?: boolean;
  ports?: string[];
  volumes?: string[];
  healthcheck?: object;
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  networks?: string[];
};

const compose = parse(read('docker', 'compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, object>;
  networks: Record<string, { internal?: boolean }>;
};
const services = Object.entries(compose.services);
const own = services.filter(([, { build }]) => build !== undefined);

const withoutVariables = (environment: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, (_, fallback: string) => fallback)]),
  );

describe('docker/compose.yaml', () => {
  it.each([...SERVICES, 'migrations'])('%s gets settings that it reads, and all that it needs', (name) => {
    expect(checkEnvironment(name, withoutVariables(compose.services[name]?.environment))).toEqual([]);
  });

  it('would notice a setting that no one reads, and one that is missing', () => {
    const { JOURNAL_DIR: _, ...rest } = compose.services['chat-translator']?.environment ?? {};
    const problems = checkEnvironment('chat-translator', { ...withoutVariables(rest), JOURNAL_DIRECTORY: '/x' });
    expect(problems.join()).toMatch(/JOURNAL_DIRECTORY is read by no one.*JOURNAL_DIR/s);
  });

  it.each(own)('%s runs a script that is there, as no one in particular, on a file system it cannot change', (_, service) => {
    const [script = ''] = service.command ?? [];
    const source = script.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    expect(existsSync(join(ROOT, source))).toBe(true);
    expect(service.user).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  });

  it.each(SERVICES)('%s has time to drain, and says when it is ready', (name) => {
    const service = compose.services[name];
    const settings = withoutVariables(service?.environment);
    const drainMs = Number(settings['DRAIN_DELAY_MS']) + Number(settings['DRAIN_TIMEOUT_MS']);
    expect(Number.parseInt(service?.stop_grace_period ?? '', 10) * 1000).toBeGreaterThanOrEqual(drainMs + 15_000);
    expect(service?.healthcheck).toMatchObject({ test: ['CMD', 'node', 'docker/check-health.mjs', '/readyz'] });
  });

  it.each(services)(
    '%s names an image by version and digest, publishes on loopback only, and nothing that does not exist',
    (_, service) => {
      expect(service.image).toMatch(
        /^(weir(-standalone)?:\$\{WEIR_VERSION:-dev\}|docker\.io\/[\w./-]+:v?\d+\.\d+(\.\d+)?@sha256:[0-9a-f]{64})$/,
      );
      expect(service.privileged).toBeUndefined();
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
      for (const [name] of Object.entries(service.depends_on ?? {})) expect(compose.services).toHaveProperty([name]);
      for (const network of service.networks ?? []) expect(compose.networks).toHaveProperty([network]);
      for (const volume of service.volumes ?? []) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('.')) expect(existsSync(join(ROOT, 'docker', from))).toBe(true);
        else expect(compose.volumes).toHaveProperty([from]);
      }
    },
  );

  it('gives no secret by value, and the stores no way out', () => {
    for (const [, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (/SECRET|PEPPER|PASSWORD|SEALING|API_KEY|DATABASE_URL/.test(name))
          expect([name, value]).toEqual([name, expect.stringMatching(/^(\/run\/weir\/.+|\$\{\w+:-\})$/)]);
      }
    }
    for (const store of ['postgres', 'redis', 'kafka']) expect(compose.services[store]?.networks).toEqual(['inside']);
    expect(compose.networks['inside']).toEqual({ internal: true });
  });

  it('keeps every journal on a volume', () => {
    for (const name of SERVICES) {
      const { environment = {}, volumes = [] } = compose.services[name] ?? {};
      if ('JOURNAL_DIR' in environment) expect(volumes.some((volume) => volume.endsWith(':/var/lib/weir'))).toBe(true);
    }
  });
});

describe('docker/check-health.mjs', () => {
  it.each(SERVICES)('asks %s at the port where it listens by default', async (name) => {
    const { PORT: port } = (ENV_SCHEMAS[name] as z.ZodObject).pick({ PORT: true }).parse({});
    const asked = await askHealth({ SERVICE: name });

    expect(asked).toBe(`http://127.0.0.1:${String(port)}/healthz`);
    expect(await askHealth({ SERVICE: name, PORT: '7', METRICS_PORT: '8' })).toBe('http://127.0.0.1:8/healthz');
  });
});

/** Which address the script asks, with this environment. */
async function askHealth(env: Record<string, string>): Promise<string> {
  const script = read('docker', 'check-health.mjs').replace('await fetch(', 'await (async (url) => (console.log(url), { ok: true }))(');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  return stdout.trim();
}

describe('docker/Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(read('docker', 'Dockerfile'));
  const instructions = dockerfile.getInstructions();
  const keywords = (name: string) => instructions.filter((each) => each.getKeyword() === name);
  const text = (name: string) => keywords(name).map((each) => each.getArgumentsContent() ?? '');

  it('builds in stages of its own and ends without privileges', () => {
    const stages = dockerfile.getFROMs().map((from: From) => [from.getImage(), from.getBuildStage()]);
    expect(stages).toEqual([
      ['${NODE_IMAGE}', 'manifests'],
      ['${NODE_IMAGE}', 'installed'],
      ['installed', 'build'],
      ['build', 'services'],
      ['scratch', 'sbom'],
      ['${NODE_IMAGE}', 'standalone'],
      ['${NODE_IMAGE}', 'runtime'],
    ]);
    expect(text('ARG')[0]).toMatch(/^NODE_IMAGE=docker\.io\/library\/node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    expect(read('docker', 'Dockerfile')).toMatch(/^# syntax=docker\/dockerfile:[\d.]+@sha256:[0-9a-f]{64}\n/);
    expect(text('USER')).toEqual(['10001:10001', '10001:10001']);
  });

  it('runs no shell, no package script and no download of its own', () => {
    for (const name of ['ENTRYPOINT', 'CMD']) for (const words of text(name)) expect(words).toMatch(/^\[".*"\]$/);
    expect(keywords('ADD')).toEqual([]);
    expect(text('HEALTHCHECK')).toHaveLength(2);
    for (const words of text('HEALTHCHECK')) expect(words).toContain('docker/check-health.mjs');
    const installs = text('RUN').filter((words) => /npm (ci|prune)/.test(words));
    expect(installs).toHaveLength(1);
    for (const words of installs) expect(words).toContain('--ignore-scripts');
    expect(text('RUN').join()).not.toMatch(/curl|wget|npm install|latest/);
  });

  it('installs from manifests alone, so that a changed source installs nothing anew', () => {
    const installed = instructions.slice(
      instructions.findIndex((each) => /AS installed$/.test(each.getArgumentsContent() ?? '')),
      instructions.findIndex((each) => /AS build$/.test(each.getArgumentsContent() ?? '')),
    );
    const copied = installed.filter((each) => each.getKeyword() === 'COPY').map((each) => each.toString());
    expect(copied).toEqual(['COPY --from=manifests /src ./']);
  });

  it('copies nothing that is not to be in an image', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const path of ['.git', '**/node_modules', '**/dist', '.weir', 'docker/providers.env']) expect(ignored).toContain(path);
  });
});
