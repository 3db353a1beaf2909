import { describeWithRealParts, makeTestFolder } from '@weir/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage, type InstalledPackage } from '../harness/install-package';
import { interpolate, readCompose } from '../harness/read-compose';
import { waitForRequests } from '../harness/read-usage';
import { ROOT } from '../harness/run-process';
import { AS_BY_DEFAULT, startStandalone, type Harness } from '../harness/start-standalone';

const CLIENTS = join(ROOT, 'clients');

/** Runs a program to its end; returns what it printed, and throws with that when it failed. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const base = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const { stdout } = await promisify(execFile)(program, args, { cwd: ROOT, env: { ...base, ...env } });
  return stdout;
}

const node = (script: string, ...args: string[]): Promise<string> => run(process.execPath, [join(ROOT, script), ...args]);

/** What the examples of all clients print of what they did. */
type Report = { key: string; monthly_limit: number; usage: { total_requests: number; spend: string }[]; refusal: object };

describe('what is packed and generated', () => {
  let installed: InstalledPackage;
  let harness: Harness;
  let apiKey: string;

  beforeAll(async () => {
    const folder = makeTestFolder('packages');
    installed = installPackage(folder);
    const settings = Object.entries(readCompose().services['standalone']?.environment ?? {});
    harness = await startStandalone({
      script: installed.scriptOf('weir-gateway'),
      cwd: installed.folder,
      dataDir: join(folder, 'data'),
      env: {
        ...Object.fromEntries(settings.map(([name, value]) => [name, interpolate(value)])),
        ...{ DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', DRAIN_TIMEOUT_MS: '3000', ...AS_BY_DEFAULT },
      },
    });
    const [, printed = ''] = await harness.process.waitFor(/Administrator key \(shown only now\): (\S+)/);
    apiKey = printed;
  }, 240_000);
  afterAll(() => harness.process.terminate());

  const call = (path: string, key: string, body?: object): Promise<Response> =>
    fetch(`${harness.url}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });

  it('is a gateway that runs from a clean folder, with the settings of the small profile', async () => {
    const reply = await call('/v1/chat/completions', apiKey, { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] });

    expect(reply.status).toBe(200);
    expect(((await reply.json()) as { usage: { cost: number } }).usage.cost).toBeGreaterThan(0);
    expect((await fetch(`${harness.url}/console/`)).status).toBe(200);
    for (const page of ['/docs', '/docs/swagger-ui.css', '/openapi.json']) expect((await fetch(harness.url + page)).status).toBe(200);
    expect((await waitForRequests({ managementUrl: harness.url, apiKey }, 1)).total_requests).toBe(1);
  });

  it('brings nothing along but what is native', () => {
    const { dependencies } = JSON.parse(readFileSync(join(dirname(installed.scriptOf('weir')), '..', 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    expect(Object.keys(dependencies).sort()).toEqual(['fs-native-extensions', 'sharp']);
  });

  it('has the operator’s command beside it', async () => {
    const env = { DATA_DIR: harness.dataDir };
    const made = JSON.parse(
      await run(process.execPath, [installed.scriptOf('weir'), 'key', 'recover', '--keep', 'yes', '--json'], env),
    ) as object;
    const [recovered = ''] = /weir_\w+/.exec(JSON.stringify(made)) ?? [];

    expect((await call('/v1/manage/apikey/self', recovered)).status).toBe(200);
  });

  /** The key that was made works, and what was read is what the gateway says. */
  async function expectTrue(printed: string): Promise<void> {
    const { key, usage, ...rest } = JSON.parse(printed) as Report;
    const { total_requests, spend } = await waitForRequests({ managementUrl: harness.url, apiKey }, 1);

    expect((await call('/v1/models', key)).status).toBe(200);
    expect(usage).toEqual([expect.objectContaining({ total_requests, spend })]);
    expect(rest).toEqual({ monthly_limit: 20, refusal: { status: 400, code: 'invalid_request', param: 'monthly_limit' } });
  }

  it('is a client in TypeScript that compiles, and makes and limits a key', async () => {
    await node('clients/generate-clients.mjs', 'typescript');
    await node('tools/setup/compile.mjs', '-p', join(CLIENTS, 'typescript', 'tsconfig.json'));
    const example = join(CLIENTS, 'typescript', 'dist', 'examples', 'team-key.js');

    await expectTrue(await run(process.execPath, [example], { WEIR_URL: harness.url, WEIR_API_KEY: apiKey }));
  }, 60_000);

  describeWithRealParts(['python'], 'in another language', () => {
    it('is a client in Python that compiles as a whole, and does the same', async () => {
      await run(process.execPath, [join(CLIENTS, 'generate-clients.mjs'), 'python'], { PYTHON: process.env['TEST_PYTHON'] ?? 'python3' });
      const python = join(ROOT, '.tmp', 'clients', 'python', 'bin', 'python');
      await run(python, ['-m', 'compileall', '-q', join(CLIENTS, 'python', 'weir_management')]);
      const example = join(CLIENTS, 'python', 'examples', 'team_key.py');

      await expectTrue(await run(python, [example], { WEIR_URL: harness.url, WEIR_API_KEY: apiKey, PYTHONPATH: join(CLIENTS, 'python') }));
    }, 120_000);
  });

  // Last: what clients report of usage is compared with all that there was.
  it('has with it what it reads by name: fonts, encodings, the library of images', async () => {
    const count = await call('/v1/messages/count_tokens', apiKey, {
      model: 'sandbox/chat',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    const image = await call('/v1/images/generations', apiKey, { model: 'sandbox/image', prompt: 'a cat', size: '256x256' });

    expect([count.status, image.status]).toEqual([200, 200]);
    expect(((await count.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(0);
    const [first] = ((await image.json()) as { data: { b64_json: string }[] }).data;
    expect(
      Buffer.from(first?.b64_json ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });
});
