import { makeTestFolder } from '@weir/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runWeir } from './__fixtures__/run-weir';

type Asked = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
};

let server: Server;
let env: Record<string, string>;
const asked: Asked[] = [];
const reply = { status: 200, body: {} as object };

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { method, url, headers } = request;
      asked.push({ method, url, key: headers.authorization, body: JSON.parse(text) as Record<string, unknown> });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  env = { WEIR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, WEIR_API_KEY: 'the-key', A_SECRET: 'sk-one' };
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked.splice(0);
  Object.assign(reply, { status: 200, body: outcome([]) });
});

const step = { action: 'create', kind: 'key', name: 'ci', changes: [{ field: 'monthly_limit', after: 5 }] };
const outcome = (steps: readonly object[], secrets: readonly object[] = []): object => ({
  configuration: 'p',
  summary: '',
  steps,
  secrets,
  notes: [],
});

function write(...sections: string[]): string {
  const folder = makeTestFolder('documents');
  sections.forEach((text, index) =>
    writeFileSync(join(folder, `${index}.yaml`), `apiVersion: weir/v1\nkind: Configuration\nmetadata: {name: p}\n${text}`),
  );
  return folder;
}

it('sends the files of a folder as one document, with secrets from the environment and from beside the document', async () => {
  const folder = write(
    'groups: [{name: a}]\n',
    'groups: [{name: b}]\nprovider_credentials:\n  - {provider: x, api_key: {env: A_SECRET}}\n  - {provider: y, api_key: {file: own}}\n',
  );
  writeFileSync(join(folder, 'own'), 'sk-two\n');
  const { code, printed } = await runWeir(['apply', '-f', folder, '--prune', '--yes'], env);
  expect([code, printed]).toEqual([0, 'no changes\n' + 'configuration "p" is in force\n']);
  expect(asked.at(-1)).toEqual({
    method: 'PUT',
    url: '/v1/manage/configuration?prune=true',
    key: 'Bearer the-key',
    body: {
      ...{ apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name: 'p' }, groups: [{ name: 'a' }, { name: 'b' }] },
      provider_credentials: [
        { provider: 'x', api_key: { value: 'sk-one' } },
        { provider: 'y', api_key: { value: 'sk-two' } },
      ],
    },
  });
});

it('only shows without --yes, and says by its exit code whether something differs', async () => {
  const folder = write('provider_credentials: [{provider: x, api_key: {env: NOT_SET}}]\n');
  reply.body = outcome([step]);
  for (const words of [['diff'], ['apply'], ['apply', '--yes', '--dry-run']]) {
    const { code, printed } = await runWeir([...words, '-f', folder], env);
    expect([code, printed]).toEqual([3, expect.stringContaining('+ key "ci"\n    monthly_limit: 5\n')]);
  }
  expect(asked.map(({ method, url }) => `${method ?? ''} ${url ?? ''}`)).toEqual(Array(3).fill('POST /v1/manage/configuration/preview'));
  const { code, complaint } = await runWeir(['apply', '-f', folder, '--yes'], env);
  expect([code, complaint]).toEqual([2, expect.stringContaining('provider_credentials.0.api_key: the variable NOT_SET is not set.')]);
});

it('keeps the values of new keys in a file of its own, and makes none that would be lost', async () => {
  const folder = write('keys: [{name: ci}]\n');
  const file = join(folder, 'keys.json');
  reply.body = outcome([step]);
  expect(await runWeir(['apply', '-f', folder, '--yes'], env)).toMatchObject({
    code: 2,
    complaint: expect.stringContaining('"ci"') as string,
  });
  expect(asked.map(({ method }) => method)).toEqual(['POST']);

  writeFileSync(file, '{"keys": {"old": "weir_live_old"}}', { mode: 0o644 });
  reply.body = outcome([step], [{ kind: 'key', name: 'ci', id: '1', secret: 'weir_live_new' }]);
  const applied = await runWeir(['apply', '-f', join(folder, '0.yaml'), '--yes', '--keys-file', file], env);
  expect([applied.code, applied.printed.includes('weir_live_new'), statSync(file).mode & 0o777]).toEqual([0, false, 0o600]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ keys: { old: 'weir_live_old', ci: 'weir_live_new' } });
});

it('passes on what the gateway says, and says where it looked', async () => {
  const folder = write('groups: []\n');
  Object.assign(reply, { status: 409, body: { error: { message: 'the group belongs to the configuration "q"' } } });
  expect(await runWeir(['diff', '-f', folder], env)).toMatchObject({
    code: 1,
    complaint: 'weir: the group belongs to the configuration "q"\n',
  });
  expect(await runWeir(['diff', '-f', folder], { ...env, WEIR_URL: 'http://127.0.0.1:1' })).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('WEIR_URL (http://127.0.0.1:1)') as string,
  });
  expect(await runWeir(['diff', '-f', folder], {})).toMatchObject({ complaint: expect.stringContaining('WEIR_URL') as string });
  expect(await runWeir(['diff', '-f', '/nowhere'], env)).toMatchObject({
    code: 2,
    complaint: 'weir: /nowhere: it cannot be read (ENOENT)\n',
  });
});
