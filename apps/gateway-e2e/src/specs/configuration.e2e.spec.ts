import { makeTestFolder } from '@weir/testing';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../harness/run-process';
import { startStandalone, type Harness } from '../harness/start-standalone';

jest.setTimeout(60_000);

const folder = makeTestFolder('configuration');
const files = join(folder, 'weir');
const keysFile = join(folder, 'keys.json');

let harness: Harness;

beforeAll(async () => {
  mkdirSync(files);
  writeFileSync(join(folder, 'mounted.yaml'), document('mounted', 'aliases:\n  - {name: from-a-file, model: sandbox/chat}\n'));
  writeFileSync(join(files, 'groups.yaml'), document('platform', 'groups:\n  - {name: research, monthly_limit: 100}\n'));
  writeFileSync(
    join(files, 'keys.yaml'),
    document(
      'platform',
      'keys:\n  - {name: ci, group: research}\nprovider_credentials:\n  - {provider: fireworks, api_key: {env: FIREWORKS}}\n',
    ),
  );
  harness = await startStandalone({ env: { CONFIGURATION_FILE: join(folder, 'mounted.yaml') } });
});
afterAll(() => harness.process.terminate());

function document(name: string, sections: string): string {
  return `apiVersion: weir/v1\nkind: Configuration\nmetadata: {name: ${name}}\n${sections}`;
}

function weir(...words: string[]): { code: number | null; out: string; complaint: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'apps/operator/bin/weir.cjs'), ...words], {
    env: { PATH: process.env['PATH'] ?? '', WEIR_URL: harness.url, WEIR_API_KEY: harness.apiKey, FIREWORKS: 'fw_0123456789abcdef' },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, complaint: stderr };
}

const call = (path: string, key = harness.apiKey, init: RequestInit = {}): Promise<Response> =>
  fetch(harness.url + path, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });

it('a folder of files is shown, applied once, compared, and exported', async () => {
  expect(weir('diff', '-f', files)).toMatchObject({ code: 3, out: expect.stringContaining('3 to create') as string });
  expect(weir('apply', '-f', files, '--yes')).toMatchObject({ code: 2, complaint: expect.stringContaining('--keys-file') as string });
  const applied = weir('apply', '-f', files, '--yes', '--keys-file', keysFile);
  expect([applied.code, applied.complaint]).toEqual([0, '']);
  const key = (JSON.parse(readFileSync(keysFile, 'utf8')) as { keys: { ci: string } }).keys.ci;
  expect([statSync(keysFile).mode & 0o777, applied.out.includes(key), applied.out.includes('fw_0123')]).toEqual([0o600, false, false]);
  const chat = await call('/v1/chat/completions', key, {
    method: 'POST',
    body: JSON.stringify({ model: 'from-a-file', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(chat.status).toBe(200);
  await chat.text();

  expect(weir('apply', '-f', files, '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('no changes') as string });
  const { groups } = (await (await call('/v1/manage/group')).json()) as { groups: readonly { id: string }[] };
  await call(`/v1/manage/group/${groups[0]?.id ?? ''}`, harness.apiKey, { method: 'PATCH', body: '{"monthly_limit": 500}' });
  const drift = weir('diff', '-f', files);
  expect([drift.code, drift.out]).toEqual([3, expect.stringContaining('monthly_limit: 500 → 100')]);

  writeFileSync(join(folder, 'exported.yaml'), weir('export', '--name', 'platform').out);
  expect(weir('diff', '-f', join(folder, 'exported.yaml'))).toMatchObject({
    code: 0,
    out: 'no changes\n' + 'note: provider_credentials.0.api_key: the secret was not sent, so it is not compared\n',
  });
});

it('a document that cannot be applied says why, and editors get its schema', async () => {
  writeFileSync(join(folder, 'broken.yaml'), document('platform', 'keys:\n  - {name: a, group: nowhere}\n  - {name: b, colour: red}\n'));
  expect(weir('apply', '-f', join(folder, 'broken.yaml'), '--yes', '--keys-file', keysFile)).toMatchObject({
    code: 2,
    complaint: expect.stringContaining('`keys.1.colour`: there is no such field') as string,
  });
  const schema = await fetch(`${harness.url}/schemas/configuration.json`);
  expect([schema.status, ((await schema.json()) as { title: string }).title]).toEqual([200, 'Configuration of an organization of Weir']);
});
