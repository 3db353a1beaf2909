import { describeWithRealParts, makeTestFolder, waitUntil } from '@weir/testing';
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { download, pressAt, readClipboard, typeInto } from '../../harness/browser-steps';
import { ROOT } from '../../harness/run-process';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

type Model = { readonly id: string; readonly api: string };

const run = promisify(execFile);

describeWithRealParts(['browser'], 'models in the console', () => {
  let harness: ConsoleHarness;
  let models: readonly Model[];

  beforeAll(async () => {
    harness = await startConsoleHarness();
    models = (await harness.must('GET /v1/models/all'))['data'] as Model[];
  });
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('are all there, are searched by keyboard, and taken along with exact prices', async () => {
    const page = await harness.visit('/console/models');
    await page.getByText(`${models.length} of ${models.length} models`).waitFor();
    await typeInto(page, page.getByRole('searchbox', { name: 'Search', exact: true }), 'chat');
    await page.getByRole('link', { name: 'sandbox/chat', exact: true }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('q') === 'chat');
    const [, found = ''] = /^(\d+) of/.exec(await page.getByText(/^\d+ of \d+ models$/).innerText()) ?? [];
    expect(Number(found)).toBeLessThan(models.length);

    const { name, bytes } = await download(page, () => pressAt(page, page.getByRole('button', { name: 'Download CSV of models' })));
    const lines = bytes.toString().split('\r\n').filter(Boolean);
    expect([name, lines.length]).toEqual(['models.csv', Number(found) + 1]);
    const priced = (await harness.must('GET /v1/models/sandbox%2Fchat')) as { readonly input_price?: number };
    const cells = lines.find((line) => line.startsWith('sandbox/chat,'))?.split(',') ?? [];
    expect(Number(cells[3])).toBeCloseTo((priced.input_price ?? 0) * 1e6, 9);
  });

  it('are compared side by side, four at most; the address is the comparison', async () => {
    const page = await harness.visit('/console/models');
    const chosen = models.slice(0, 4).map(({ id }) => id);
    for (const id of chosen) await page.getByLabel(`Compare ${id}`, { exact: true }).click();
    const comparison = page.getByRole('region', { name: 'Comparison' });
    expect(await comparison.getByRole('columnheader').allInnerTexts()).toEqual(chosen);
    const fifth = models[4];
    if (fifth !== undefined) expect(await page.getByLabel(`Compare ${fifth.id}`, { exact: true }).isDisabled()).toBe(true);

    await page.goto(page.url());
    await comparison.waitFor();
    expect(await comparison.getByRole('columnheader').allInnerTexts()).toEqual(chosen);
    await pressAt(page, page.getByRole('button', { name: `Remove the filter ${chosen[0] ?? ''}`, exact: true }));
    expect(await comparison.getByRole('columnheader').allInnerTexts()).toEqual(chosen.slice(1));
  });

  it('come with lines that work when they are pasted', async () => {
    const page = await harness.visit('/console/models?q=sandbox/chat');
    await page.getByRole('link', { name: 'sandbox/chat', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const copy = async (client: string, word: string): Promise<string> => {
      await dialog.getByLabel('Call it with').selectOption(client);
      await dialog.getByRole('button', { name: /^Copy the lines for/ }).click();
      await waitUntil('the lines are copied', async () => (await readClipboard(page)).includes(word));
      return (await readClipboard(page)).replace('YOUR_WEIR_KEY', harness.gateway.apiKey);
    };
    const { stdout } = await run('bash', ['-c', await copy('curl', 'curl')]);
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' });

    // Where the packages are that the lines say to install.
    const folder = makeTestFolder('pasted-lines');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [client, word] of [
      ['openai', 'chat.completions.create'],
      ['anthropic', 'messages.create'],
      ['ai-sdk', 'generateText'],
      ['langchain', 'ChatOpenAI'],
    ] as const) {
      const file = join(folder, `${client}.mjs`);
      writeFileSync(file, await copy(client, word));
      const said = await run(process.execPath, [file]);
      // The sandbox repeats what it is asked.
      expect([client, said.stdout]).toEqual([client, expect.stringContaining('Hello')]);
    }
  }, 180_000);

  it('are only those that the key of the session may use', async () => {
    const list = { name: 'one', chat: ['sandbox/chat'], embedding: [], image: [], transcription: [], speech: [] };
    const { id } = await harness.must('POST /v1/manage/access-list', list);
    const { api_key: apiKey } = await harness.must('POST /v1/manage/apikey', { name: 'narrow', access_list_id: id });
    const page = await harness.visit('/console/models', { apiKey: String(apiKey) });
    const reached = (await harness.must('GET /v1/models/all', undefined, String(apiKey)))['data'] as Model[];
    expect(reached.map((model) => model.id)).not.toContain('sandbox/embedding');
    await page.getByText(`${reached.length} of ${reached.length} models`).waitFor();
    await page.goto('/console/models?model=sandbox/embedding');
    await page.getByText('cannot be called with this key').waitFor();
    const [status] = await harness.refuse('POST /v1/embeddings', { model: 'sandbox/embedding', input: 'x' }, String(apiKey));
    expect([403, 404]).toContain(status);

    const administrator = await harness.visit('/console/models');
    await administrator.getByRole('link', { name: 'sandbox/embedding', exact: true }).click();
    const dialog = administrator.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Keys that may use it' }).waitFor();
    await dialog.getByRole('link', { name: 'Administrator' }).waitFor();
    expect(await dialog.getByRole('link', { name: 'narrow' }).count()).toBe(0);
  });
});
