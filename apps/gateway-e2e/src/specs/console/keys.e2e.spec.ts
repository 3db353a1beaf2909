import { describeWithRealParts } from '@weir/testing';
import type { Locator, Page } from 'playwright-core';
import { callUntil, type HarnessReply } from '../../harness/call-harness';
import { download, pickByKeys, pressAt, readClipboard, typeInto } from '../../harness/browser-steps';
import { codeOf, startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

type Key = {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly monthly_limit: number;
  readonly labels: Record<string, string>;
  readonly permissions: { readonly manage: string; readonly completions: string };
  readonly group: { readonly id: string } | null;
  readonly expires_at: string | null;
};

const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
const DAY_MS = 86_400_000;

describeWithRealParts(['browser'], 'keys in the console', () => {
  let harness: ConsoleHarness;
  let group: string;

  beforeAll(async () => {
    harness = await startConsoleHarness();
    group = String((await harness.must('POST /v1/manage/group', { name: 'Research', monthly_limit: 100 }))['group_id']);
  });
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  const findKeys = async (): Promise<readonly Key[]> => (await harness.must('GET /v1/manage/apikey'))['keys'] as Key[];
  const findKey = async (name: string): Promise<Key | undefined> => (await findKeys()).find((key) => key.name === name);
  const chat = (apiKey: string) => harness.call('POST /v1/chat/completions', CHAT, { authorization: `Bearer ${apiKey}` });
  const isRefused = (reply: HarnessReply): boolean => codeOf(reply)[1] === 'invalid_credentials';
  const readSecret = async (dialog: Locator): Promise<string> => (await dialog.locator('.administration-secret code').innerText()).trim();
  const menuOf = (page: Page, name: string): Locator => page.getByRole('button', { name: `Change, rotate or revoke ${name}` });
  const makeKey = async (name: string): Promise<string> => String((await harness.must('POST /v1/manage/apikey', { name }))['api_key']);

  it('are made by pointer with everything they can have; the secret is shown once and works', async () => {
    const page = await harness.visit('/console/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('crawler');
    await dialog.getByLabel('Group', { exact: true }).selectOption({ label: 'Research' });
    await dialog.getByLabel('Limit of the key a month').fill('$12.50');
    await dialog.getByText('Owner, expiry, labels').click();
    await dialog.getByLabel('Expires').selectOption('30');
    await dialog.getByRole('button', { name: 'Add a label' }).click();
    await dialog.getByLabel('Name of label 1').fill('team');
    await dialog.getByLabel('Value of label 1').fill('search');
    await dialog.getByLabel('Management').selectOption('read');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('heading', { name: 'The key “crawler”' }).waitFor();
    const secret = await readSecret(dialog);
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByText('Copied').waitFor();
    expect(await readClipboard(page)).toBe(secret);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('row', { name: /crawler/ }).waitFor();
    expect(await page.content()).not.toContain(secret);

    expect((await chat(secret)).status).toBe(200);
    const made = await findKey('crawler');
    expect(made).toMatchObject({
      group: { id: group },
      monthly_limit: 12.5,
      labels: { team: 'search' },
      permissions: { completions: 'write', manage: 'read' },
      status: 'active',
    });
    const endsIn = Date.parse(made?.expires_at ?? '') - Date.now();
    expect(Math.round(endsIn / DAY_MS)).toBe(30);
  });

  it('are not sent while something is wrong, and each error stands at its field', async () => {
    const page = await harness.visit('/console/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name', { exact: true });
    await dialog.getByLabel('Limit of the key a month').fill('0');
    await dialog.getByText('Owner, expiry, labels').click();
    await dialog.getByRole('button', { name: 'Add a label' }).click();
    await dialog.getByLabel('Name of label 1').fill('a b');
    await dialog.getByRole('button', { name: 'Create the key' }).click();

    await dialog.getByText('Must not be empty.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await dialog.getByText('0 would be no limit').waitFor();
    await dialog.getByText('“a b” has a name that is not allowed here').waitFor();
    await name.fill('x'.repeat(201));
    await dialog.getByText('Must have at most 200 characters.').waitFor();
    await name.fill('fine');
    expect(await name.getAttribute('aria-invalid')).toBeNull();
    expect(sent).toEqual([]);
    expect(await findKey('fine')).toBeUndefined();
  });

  it('are made with their group, changed and revoked by keyboard alone', async () => {
    const page = await harness.visit('/console/keys');
    await pressAt(page, page.getByRole('button', { name: 'New key' }));
    const dialog = page.getByRole('dialog');
    await typeInto(page, dialog.getByLabel('Name', { exact: true }), 'notebook');
    await typeInto(page, dialog.getByLabel('Group', { exact: true }), 'A new');
    await typeInto(page, dialog.getByLabel('Name of the group'), 'Lab');
    await pressAt(page, dialog.getByRole('button', { name: 'Create the group and the key' }));
    await page.getByRole('heading', { name: 'The key “notebook”' }).waitFor();
    const secret = await readSecret(dialog);
    await pressAt(page, dialog.getByRole('button', { name: 'I have kept it' }));
    await dialog.waitFor({ state: 'detached' });
    const made = await findKey('notebook');
    const groups = (await harness.must('GET /v1/manage/group'))['groups'] as { id: string; name: string }[];
    expect(made?.group?.id).toBe(groups.find(({ name }) => name === 'Lab')?.id);

    await pressAt(page, menuOf(page, 'notebook'));
    await pickByKeys(page, 'Change …');
    await typeInto(page, dialog.getByLabel('Limit of the key a month'), '7');
    await typeInto(page, dialog.getByLabel('Expires'), 'In 7');
    await pressAt(page, dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'detached' });
    expect(await findKey('notebook')).toMatchObject({ monthly_limit: 7, expires_at: expect.any(String) as string });

    await pressAt(page, menuOf(page, 'notebook'));
    await pickByKeys(page, 'Revoke …');
    await pressAt(page, dialog.getByRole('button', { name: 'Revoke the key' }));
    await dialog.waitFor({ state: 'detached' });
    expect(await findKey('notebook')).toBeUndefined();
    await callUntil(() => chat(secret), isRefused);
  });

  it('are rotated with an overlap in which both secrets work, and at once when one has leaked', async () => {
    const first = await makeKey('shop');
    const page = await harness.visit('/console/keys');
    const dialog = page.getByRole('dialog');
    const rotate = async (overlap: string): Promise<string> => {
      await menuOf(page, 'shop').click();
      await page.getByRole('menuitem', { name: 'Rotate …' }).click();
      await dialog.getByRole('combobox').selectOption(overlap);
      await dialog.getByRole('button', { name: 'Make the new secret' }).click();
      await page.getByRole('heading', { name: 'The new secret of “shop”' }).waitFor();
      const secret = await readSecret(dialog);
      await dialog.getByRole('button', { name: 'I have kept it' }).click();
      return secret;
    };
    const second = await rotate('3600');
    expect(second).not.toBe(first);
    await callUntil(
      () => chat(second),
      ({ status }) => status === 200,
    );
    expect((await chat(first)).status).toBe(200);

    const third = await rotate('0');
    await callUntil(() => chat(second), isRefused);
    expect((await chat(third)).status).toBe(200);
  });

  it('are found, and taken along as a file and for a spreadsheet', async () => {
    await makeKey('=SUM(1)');
    const page = await harness.visit('/console/keys');
    await page.getByLabel('Search', { exact: true }).fill('=sum');
    await page.getByText(/^1 of \d+ keys/).waitFor();
    expect(page.url()).toContain('search=');
    const { name, bytes } = await download(page, () => page.getByRole('button', { name: 'Download CSV of keys' }).click());
    const [head = '', row = '', ...rest] = bytes.toString().split('\r\n');
    expect([name, head.split(',').slice(0, 2), rest]).toEqual(['keys.csv', ['id', 'name'], ['']]);
    expect(row.split(',')[1]).toBe("'=SUM(1)");

    await page.getByRole('button', { name: 'Copy the list of keys' }).click();
    await page.getByText('Copied 1 row').waitFor();
    expect((await readClipboard(page)).split('\r\n')[1]?.split('\t')[1]).toBe("'=SUM(1)");
  });

  it('show those who may not manage that they may not, and the interface refuses them too', async () => {
    const apiKey = String(
      (await harness.must('POST /v1/manage/apikey', { name: 'infers', permissions: { completions: 'write', manage: 'none' } }))['api_key'],
    );
    const page = await harness.visit('/console/models', { apiKey });
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
    await page.goto('/console/keys?dialog=new');
    await page.getByText('Your key does not allow this').waitFor();
    expect([await page.getByRole('button', { name: 'New key' }).count(), await page.getByRole('dialog').count()]).toEqual([0, 0]);
    expect(await harness.refuse('POST /v1/manage/apikey', { name: 'more' }, apiKey)).toEqual([403, 'permission_denied']);
  });
});
