import { describeWithRealParts } from '@weir/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { download, pickByKeys, pressAt, typeInto } from '../../harness/browser-steps';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

type GroupMember = { readonly id: string; readonly role: string; readonly monthly_limit: number; readonly monthly_budget?: number };
type Group = {
  readonly id: string;
  readonly name: string;
  readonly monthly_limit: number;
  readonly monthly_budget?: number;
  readonly monthly_budget_per_user?: number;
  readonly labels: Record<string, string>;
  readonly members: readonly GroupMember[];
};
type Member = { readonly user_id: string; readonly user_email: string; readonly role: string };

const runFile = promisify(execFile);
const OTHER_ID = '00000000-0000-4000-8000-00000000beef';

describeWithRealParts(['browser'], 'groups and members in the console', () => {
  let harness: ConsoleHarness;

  beforeAll(async () => {
    harness = await startConsoleHarness();
  });
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  const invite = async (email: string): Promise<string> =>
    ((await harness.must('POST /v1/manage/org/member', { email }))['member'] as Member).user_id;
  const makeGroup = async (name: string): Promise<string> => String((await harness.must('POST /v1/manage/group', { name }))['group_id']);
  const readGroup = async (id: string): Promise<Group> => (await harness.must(`GET /v1/manage/group/${id}`))['group'] as Group;
  const findMember = async (email: string): Promise<Member | undefined> =>
    ((await harness.must('GET /v1/manage/org/member'))['members'] as Member[]).find(({ user_email: one }) => one === email);
  const isShown = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
  const isDone = (dialog: Locator): Promise<void> => dialog.waitFor({ state: 'detached' });

  it('a group is made by pointer, with its members, their roles and limits, and its labels', async () => {
    await invite('ann@acme.example');
    const page = await harness.visit('/console/groups');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New group' }).click();
    await dialog.getByRole('button', { name: 'Create the group' }).click();
    await dialog.getByText('Must not be empty.').waitFor();
    await dialog.getByLabel('Name').fill('Search');
    await dialog.getByLabel('Limit of each member a month').fill('20');
    await dialog.getByRole('button', { name: 'Create the group' }).click();
    await isShown(page, 'Search');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByRole('button', { name: 'Add a member' }).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('Choose one.').waitFor();
    await dialog.getByLabel('Member').selectOption({ label: 'ann@acme.example' });
    await dialog.getByRole('button', { name: 'Add' }).click();
    await isDone(dialog);
    await page.getByRole('button', { name: 'Change or remove ann@acme.example' }).click();
    await page.getByRole('menuitem', { name: 'Role and limits …' }).click();
    await dialog.getByLabel('Role').selectOption('admin');
    await dialog.getByLabel('May spend a month').selectOption('own');
    await dialog.getByLabel('Limit in USD').fill('5.25');
    await dialog.getByLabel('Requests a minute').fill('1000001');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be at most 1000000.').waitFor();
    await dialog.getByLabel('Requests a minute').fill('60');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await isDone(dialog);
    await page.getByRole('button', { name: 'Labels and access' }).click();
    await dialog.getByRole('button', { name: 'Add a label' }).click();
    await dialog.getByLabel('Name of label 1').fill('cost-center');
    await dialog.getByLabel('Value of label 1').fill('42');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await isDone(dialog);

    expect(await readGroup(id)).toMatchObject({
      name: 'Search',
      monthly_limit: 20,
      labels: { 'cost-center': '42' },
      members: [{ role: 'admin', monthly_limit: 5.25, rate_limit: 60 }],
    });
    const { name, bytes } = await download(page, () => page.getByRole('button', { name: 'Download CSV of group members' }).click());
    expect([name, bytes.toString().split('\r\n')[1]?.split(',').slice(1)]).toEqual([
      'group members.csv',
      ['ann@acme.example', 'admin', 'true', '0', '5.25', '60'],
    ]);

    await page.getByRole('button', { name: 'Change or remove ann@acme.example' }).click();
    await page.getByRole('menuitem', { name: 'Take out of the group …' }).click();
    await dialog.getByRole('button', { name: 'Take out' }).click();
    await page.getByText('No one is in it yet').waitFor();
    expect((await readGroup(id)).members).toEqual([]);
  });

  it('a group is renamed and deleted by keyboard alone, once its keys have moved', async () => {
    const [from, to] = [await makeGroup('Old'), await makeGroup('New')];
    const { api_key_id: keyId } = await harness.must('POST /v1/manage/apikey', { name: 'moves', group_id: from });
    const page = await harness.visit(`/console/groups/${from}`);
    const dialog = page.getByRole('dialog');
    await pressAt(page, page.getByRole('button', { name: 'Change name and budget' }));
    await typeInto(page, dialog.getByLabel('Name'), 'Older');
    await page.keyboard.press('Enter');
    await isShown(page, 'Older');

    const remove = async (): Promise<void> => {
      await pressAt(page, page.getByRole('button', { name: 'More about this group' }));
      await pickByKeys(page, 'Delete the group …');
      await pressAt(page, dialog.getByRole('button', { name: 'Delete the group' }));
    };
    await remove();
    await dialog.getByText('It still has a key').waitFor();
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    expect((await readGroup(from)).name).toBe('Older');

    await pressAt(page, page.getByRole('link', { name: '1 key' }));
    await pressAt(page, page.getByRole('button', { name: 'Change, rotate or revoke moves' }));
    await pickByKeys(page, 'Change …');
    await typeInto(page, dialog.getByLabel('Group', { exact: true }), 'New');
    await pressAt(page, dialog.getByRole('button', { name: 'Save' }));
    await isDone(dialog);
    expect((await harness.must(`GET /v1/manage/apikey/${String(keyId)}`))['key']).toMatchObject({ group: { id: to } });

    await page.goto(`/console/groups/${from}`);
    await remove();
    await isShown(page, 'Groups');
    expect((await harness.call(`GET /v1/manage/group/${from}`)).status).toBe(404);
  });

  it('a group has a budget for itself and one for each member where the organization is in Group Budget mode', async () => {
    const id = await makeGroup('Budgeted');
    const page = await harness.visit('/console/groups');
    const dialog = page.getByRole('dialog');
    const switchTo = async (mode: string): Promise<void> => {
      await page.getByRole('button', { name: `Switch to ${mode} …` }).click();
      await dialog.getByRole('button', { name: 'Switch' }).click();
      await page.getByText(`The organization is in ${mode} now.`).waitFor();
    };
    await switchTo('Group Budget mode');
    await page.getByRole('link', { name: 'Budgeted' }).click();
    await page.getByRole('button', { name: 'Change name and budget' }).click();
    await dialog.getByLabel('Budget of the group a month').fill('50');
    await dialog.getByLabel('Budget of each member a month').fill('10.000000000001');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await isDone(dialog);
    expect(await readGroup(id)).toMatchObject({ monthly_budget: 50, monthly_budget_per_user: 10.000000000001 });
    await page.getByText('$50.00').first().waitFor();

    await page.goto('/console/groups');
    await page.getByRole('button', { name: 'Switch to Global mode …' }).click();
    await dialog.getByText('has a budget of 50 USD a month').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await isDone(dialog);
    await harness.must(`POST /v1/manage/group/${id}/budget`, { monthly_budget: 0 });
    await page.goto('/console/groups');
    await switchTo('Global mode');
    expect(await readGroup(id)).toMatchObject({ monthly_limit: 10.000000000001 });
  });

  it('a member is invited by keyboard, and offboarded after a preview of what ends', async () => {
    const group = await makeGroup('Leaving');
    const page = await harness.visit('/console/members');
    const dialog = page.getByRole('dialog');
    await pressAt(page, page.getByRole('button', { name: 'Invite a member' }));
    await typeInto(page, dialog.getByLabel('E-mail'), 'bob');
    await page.keyboard.press('Enter');
    await dialog.getByText('Must be an email address.').waitFor();
    await typeInto(page, dialog.getByLabel('E-mail'), '@acme.example');
    await typeInto(page, dialog.getByLabel('First name'), 'Bob');
    await typeInto(page, dialog.getByLabel('Role'), 'Adm');
    await pressAt(page, dialog.getByRole('button', { name: 'Invite' }));
    await isDone(dialog);
    const bob = await findMember('bob@acme.example');
    expect(bob).toMatchObject({ first_name: 'Bob', role: 'admin' });

    await harness.must(`POST /v1/manage/group/${group}/member`, { user_id: bob?.user_id, role: 'member' });
    const { api_key: secret } = await harness.must('POST /v1/manage/apikey', { name: 'laptop', member_id: bob?.user_id });
    await pressAt(page, page.getByRole('button', { name: 'Change or offboard bob@acme.example' }));
    await pickByKeys(page, 'Offboard …');
    await dialog.getByText('1 key of theirs').waitFor();
    const preview = await dialog.innerText();
    expect([preview.includes('laptop'), preview.includes('Leaving'), preview.includes('one administrator less')]).toEqual([
      true,
      true,
      true,
    ]);
    await pressAt(page, dialog.getByRole('button', { name: 'Offboard' }));
    await page.getByText('bob@acme.example has left the organization.').waitFor();

    expect(await findMember('bob@acme.example')).toBeUndefined();
    expect((await readGroup(group)).members).toEqual([]);
    const [, left] = await harness.refuse('GET /v1/manage/apikey/self', undefined, String(secret));
    expect(left).toBe('invalid_credentials');
  });

  it('a member sees their own keys, and neither groups nor members; the interface refuses them as well', async () => {
    const cora = await invite('cora@acme.example');
    await harness.must('POST /v1/manage/apikey', { name: 'of another' });
    const made = await harness.must('POST /v1/manage/apikey', { name: 'of cora', member_id: cora, permissions: { manage: 'write' } });
    const apiKey = String(made['api_key']);
    const page = await harness.visit('/console/keys', { apiKey });
    await page.getByRole('row', { name: /of cora/ }).waitFor();
    expect(await page.getByRole('row', { name: /of another/ }).count()).toBe(0);
    for (const path of ['/console/groups', '/console/members', '/console/money']) {
      await page.goto(path);
      await page.getByText('Your key does not allow this').first().waitFor();
    }
    expect(await harness.refuse('GET /v1/manage/group', undefined, apiKey)).toEqual([403, 'permission_denied']);
  });

  it('an administrator of a group leads their group and no other; what is not theirs, or anyone’s, is not there', async () => {
    const [gina, mine, other] = [await invite('gina@acme.example'), await makeGroup('Mine'), await makeGroup('Theirs')];
    await harness.must(`POST /v1/manage/group/${mine}/member`, { user_id: gina, role: 'admin' });
    const made = await harness.must('POST /v1/manage/apikey', { name: 'leads', member_id: gina, permissions: { manage: 'write' } });
    const apiKey = String(made['api_key']);
    const page = await harness.visit('/console/groups', { apiKey });
    await page.getByRole('link', { name: 'Mine' }).click();
    await page.getByRole('button', { name: 'Add a member' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change name and budget' }).count()).toBe(0);
    for (const id of [other, OTHER_ID]) {
      await page.goto(`/console/groups/${id}`);
      await page.getByText(/This is not there|Your key does not allow this/).waitFor();
      expect([403, 404]).toContain((await harness.refuse(`GET /v1/manage/group/${id}`, undefined, apiKey))[0]);
    }
    expect(await harness.refuse(`PATCH /v1/manage/group/${mine}`, { name: 'x' }, apiKey)).toEqual([403, 'permission_denied']);
  });

  it('what another organization has is not there, by its ids or otherwise', async () => {
    const weir = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
      const args = ['apps/operator/bin/weir.cjs', ...words, '--json'];
      const { stdout } = await runFile(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: harness.gateway.dataDir } });
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { organization_id: organization } = await weir('organization', 'create', '--name', 'Other', '--email', 'eve@other.example');
    const line = ['key', 'create', '--organization', String(organization), '--name', 'theirs', '--manage', 'write'];
    const apiKey = String((await weir(...line))['api_key']);
    const group = await makeGroup('Ours alone');
    const { api_key_id: keyId } = await harness.must('POST /v1/manage/apikey', { name: 'ours', group_id: group });

    const page = await harness.visit('/console/groups', { apiKey });
    await page.getByText('No groups yet').waitFor();
    await page.goto(`/console/groups/${group}`);
    await page.getByText('This is not there').waitFor();
    await page.goto('/console/keys');
    await page.getByRole('row', { name: /theirs/ }).waitFor();
    expect(await page.getByRole('row', { name: /ours/ }).count()).toBe(0);
    for (const route of [`GET /v1/manage/group/${group}`, `DELETE /v1/manage/group/${group}`, `DELETE /v1/manage/apikey/${String(keyId)}`])
      expect((await harness.refuse(route, undefined, apiKey))[0]).toBe(404);
    expect((await readGroup(group)).name).toBe('Ours alone');
  });
});
