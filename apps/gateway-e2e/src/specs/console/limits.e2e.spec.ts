import { describeWithRealParts, waitUntil } from '@weir/testing';
import type { Locator, Page } from 'playwright-core';
import type { HarnessReply } from '../../harness/call-harness';
import { download, pickByKeys, pressAt, tabTo, typeInto } from '../../harness/browser-steps';
import { findHindrances, settle } from '../../harness/open-console';
import { waitForRequests } from '../../harness/read-usage';
import { codeOf, startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

type Limit = { readonly id: string; readonly name: string; readonly version: number; readonly usage?: readonly unknown[] };

const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
const SENT = 4;
const NAME = 'requests of the crawler';

describeWithRealParts(['browser'], 'limits in the console', () => {
  let harness: ConsoleHarness;
  let group: string;
  let crawler: string;
  let crawlerId: string;
  let apiKey: string;

  const read = async (): Promise<readonly Limit[]> => (await harness.must('GET /v1/manage/limit?usage=true'))['limits'] as Limit[];
  const chat = (): Promise<HarnessReply> => harness.call('POST /v1/chat/completions', CHAT, { authorization: `Bearer ${crawler}` });
  const row = (page: Page, name: string): Locator => page.getByRole('table', { name: 'Limits' }).getByRole('row').filter({ hasText: name });
  const choose = async (page: Page, name: string, entry: string): Promise<void> => {
    await page.getByRole('button', { name: `Change or delete ${name}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };

  beforeAll(async () => {
    harness = await startConsoleHarness();
    group = String((await harness.must('POST /v1/manage/group', { name: 'Research' }))['group_id']);
    const made = await harness.must('POST /v1/manage/apikey', { name: 'crawler', group_id: group, labels: { team: 'research' } });
    [crawler, crawlerId] = [String(made['api_key']), String(made['api_key_id'])];
    for (let index = 0; index < SENT; index += 1) await chat();
    await waitForRequests(harness.gateway, SENT);
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('one is made by keyboard, says before what it would have refused, and then refuses a request', async () => {
    const page = await harness.visit('/console/limits');
    const dialog = page.getByRole('dialog');
    await page.getByText('No limits yet').waitFor();
    await pressAt(page, page.getByRole('button', { name: 'New limit' }));
    await typeInto(page, dialog.getByLabel('Name', { exact: true }), NAME);
    await typeInto(page, dialog.getByLabel('Key', { exact: true }), 'craw');
    await typeInto(page, dialog.getByLabel('At most'), '2');
    await typeInto(page, dialog.getByLabel('Counts'), 'Req');
    await pressAt(page, dialog.getByLabel('Over which time'), 'End');

    await dialog.getByText(`It would have refused 2 of the ${SENT} requests that it binds, in the last 7 days (50%).`).waitFor();
    const asked = { scope: 'key', api_key_id: crawlerId, measure: 'requests', window: 'total', amount: 2 };
    const preview = await harness.must('POST /v1/manage/limit/preview', asked);
    expect(preview).toMatchObject({ bound: SENT, would_have_refused: 2 });
    const [example] = preview['examples'] as { request_id: string }[];
    expect(await dialog.getByRole('link').first().getAttribute('href')).toBe(`/console/requests/${example?.request_id ?? ''}`);
    await pressAt(page, dialog.getByRole('button', { name: 'Create the limit' }));
    await row(page, NAME).getByText('Key “crawler”').waitFor();

    const [limit] = await read();
    expect(limit).toMatchObject({ ...asked, name: NAME, amount: '2', action: 'refuse', version: 1 });
    let refused: HarnessReply | undefined;
    await waitUntil('a request is refused', async () => codeOf((refused = await chat()))[1] === 'limit_reached');
    expect(refused?.json['error']).toMatchObject({
      limit: { id: limit?.id, name: NAME, measure: 'requests', window: 'total', limit: '2' },
    });
    await waitUntil('what was used is counted', async () => (await read())[0]?.usage?.length === 1);
    await page.goto('/console/limits');
    await page.getByRole('meter', { name: new RegExp(`^${NAME}: \\d+ of 2 used$`) }).waitFor();
  });

  it('says before what it would have refused of what runs at one time, too', async () => {
    const page = await harness.visit('/console/limits?dialog=new');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Counts').selectOption({ label: 'Requests at one time' });
    await dialog.getByLabel('At most').fill('1');
    await dialog.getByText(/^It would have refused none of the \d+ requests that it binds, in the last 7 days\.$/).waitFor();
  });

  it('is changed by pointer, found in the audit log, and deleted', async () => {
    const page = await harness.visit('/console/limits');
    const dialog = page.getByRole('dialog');
    await choose(page, NAME, 'Change …');
    await dialog.getByLabel('At most').fill('1,000');
    await dialog.getByLabel('When it is full').selectOption('alert');
    expect(await dialog.getByText('It begins to count anew').count()).toBe(0);
    await dialog.getByLabel('Over which time').selectOption('30d');
    await dialog.getByText('It begins to count anew').waitFor();
    await dialog.getByLabel('Over which time').selectOption('total');
    await dialog.getByRole('button', { name: 'Save the limit' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [limit] = await read();
    expect(limit).toMatchObject({ name: NAME, amount: '1000', action: 'alert', version: 2, window: 'total' });
    await row(page, NAME).getByText('only counts').waitFor();
    await waitUntil('nothing is refused', async () => (await chat()).status === 200);

    await choose(page, NAME, 'Who changed it');
    await page.waitForURL(new RegExp(`/audit\\?target=${limit?.id ?? ''}`));
    await page.getByText('2 changes, that is all').waitFor();
    await page.goBack();
    await choose(page, NAME, 'Delete …');
    await dialog.getByText('binds nothing any more').waitFor();
    await dialog.getByRole('button', { name: 'Delete the limit' }).click();
    await page.getByText('No limits yet').waitFor();
    expect(await read()).toEqual([]);
  });

  it('is not sent while something is wrong, and each error stands at its field', async () => {
    const page = await harness.visit('/console/limits?dialog=new');
    const dialog = page.getByRole('dialog');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && !request.url().endsWith('/preview') && sent.push(request.url()));
    await dialog.getByLabel('Holds for').selectOption('api_key_label');
    await dialog.getByLabel('Counts').selectOption('tokens');
    await dialog.getByLabel('At most').fill('many');
    await dialog.getByLabel('When it is full').selectOption('fallback');
    await dialog.getByRole('button', { name: 'Create the limit' }).click();
    for (const text of [
      'Write a number, such as 1,000.',
      'Is needed for the scope "api_key_label".',
      'Is needed for the action "fallback".',
    ])
      await dialog.getByText(text).waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('At most').fill('1.5');
    await dialog.getByText('Must be a whole number for "tokens".').waitFor();
    await dialog.getByLabel('Counts').selectOption('concurrent_streams');
    expect(await dialog.getByLabel('Over which time').count()).toBe(0);
    expect(sent).toEqual([]);
    expect(await read()).toEqual([]);
  });

  it('is found, taken along, and shown with the group and the key that it binds', async () => {
    const tokens = { name: 'tokens of Research', scope: 'group', group_id: group, measure: 'tokens', window: 'day', amount: 1_000_000 };
    await harness.must('POST /v1/manage/limit', tokens);
    await harness.must('POST /v1/manage/limit', {
      name: '=each team',
      scope: 'api_key_label',
      label: 'team',
      measure: 'usd',
      window: 'month',
      amount: '5.5',
    });
    const page = await harness.visit('/console/limits?scope=group');
    await page.getByText('1 of 2 limits').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('by each value of team');
    await page.getByText('No limit fits').waitFor();
    await page.getByLabel('Holds for').selectOption('');
    await row(page, '=each team').getByText('$5.50').waitFor();
    const { name, bytes } = await download(page, () => page.getByRole('button', { name: 'Download CSV of limits' }).click());
    expect([name, bytes.toString().split('\r\n')[1]?.split(',').slice(1, 3)]).toEqual(['limits.csv', ["'=each team", 'api_key_label']]);

    await page.goto(`/console/groups/${group}`);
    await page.getByRole('region', { name: 'Limits', exact: true }).getByRole('link', { name: 'tokens of Research' }).click();
    await page.getByRole('dialog', { name: '“tokens of Research”' }).waitFor();
    await page.goto('/console/keys');
    await pressAt(page, page.getByRole('button', { name: 'Change, rotate or revoke crawler' }));
    await pickByKeys(page, 'Limits that bind it');
    const dialog = page.getByRole('dialog', { name: 'Limits of “crawler”' });
    await dialog.getByRole('link').nth(1).waitFor();
    expect(await dialog.getByRole('link').allInnerTexts()).toEqual(['tokens of Research', '=each team']);
  });

  it('follows the calendar of the time zone that is set here', async () => {
    const page = await harness.visit('/console/limits');
    const zone = page.getByLabel('Time zone', { exact: true });
    const save = page.getByRole('button', { name: 'Save the time zone' });
    await zone.fill('Mars/Base');
    await save.click();
    await page.getByText('Must be the IANA name of a time zone').waitFor();
    await tabTo(page, zone);
    await zone.fill('Europe/Vienna');
    await page.keyboard.press('Enter');
    await page.getByText('Limits follow the calendar of Europe/Vienna').waitFor();
    expect((await harness.must('GET /v1/manage/org'))['organization']).toMatchObject({ time_zone: 'Europe/Vienna' });
  });

  it('is shown to members as far as it binds their own keys, and nothing can be changed there', async () => {
    const { member } = await harness.must('POST /v1/manage/org/member', { email: 'ben@acme.example' });
    const owner = { member_id: (member as { user_id: string }).user_id };
    const permissions = { manage: 'read', completions: 'write' };
    const first = await harness.must('POST /v1/manage/apikey', { name: 'ben’s', monthly_limit: 20, permissions, ...owner });
    await harness.must('POST /v1/manage/apikey', { name: 'ben’s second', labels: { team: 'ops' }, ...owner });
    await harness.must('POST /v1/manage/limit', {
      name: 'a day of each key',
      scope: 'key',
      measure: 'tokens',
      window: 'day',
      amount: 5_000,
    });
    apiKey = String(first['api_key']);
    const chatOnce = () => harness.call('POST /v1/chat/completions', { ...CHAT, max_tokens: 20 }, { authorization: `Bearer ${apiKey}` });
    await waitUntil('the limit counts', async () => {
      await chatOnce();
      const { limits } = await harness.must('GET /v1/limits', undefined, apiKey);
      return (limits as { name: string; used: string }[]).some(({ name, used }) => name === 'a day of each key' && Number(used) > 0);
    });

    const page = await harness.visit('/console/models', { apiKey });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Limits' }).click();
    await row(page, 'a day of each key').getByText('key "ben’s"').waitFor();
    await page.getByRole('meter', { name: /^a day of each key: [\d,]+ of 5,000 used$/ }).waitFor();
    await row(page, 'monthly limit of the key').getByText('$20.00').first().waitFor();
    expect(await row(page, '=each team').count()).toBe(0);
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'ben’s second' });
    await row(page, '=each team').getByText('label team=ops').waitFor();
    expect(await page.getByLabel('Key', { exact: true }).locator('option').count()).toBe(2);

    await page.goto('/console/limits?dialog=new');
    await row(page, 'a day of each key').waitFor();
    expect([await page.getByRole('dialog').count(), await page.getByRole('button', { name: 'New limit' }).count()]).toEqual([0, 0]);
    expect(await harness.refuse('GET /v1/manage/limit', undefined, apiKey)).toEqual([403, 'permission_denied']);
    expect(await harness.refuse(`GET /v1/limits?api_key_id=${crawlerId}`, undefined, apiKey)).toEqual([403, 'permission_denied']);
  });

  it.each([
    ['dark', 1280],
    ['light', 390],
  ] as const)('hinders no member, %s, %i pixels wide', async (theme, width) => {
    const page = await harness.visit('/console/limits', { theme, width, apiKey });
    await row(page, 'a day of each key').waitFor();
    await settle(page);
    expect(await findHindrances({ page })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('hinders no one, %s, %i pixels wide', async (theme, width) => {
    const page = await harness.visit('/console/limits', { theme, width });
    await row(page, '=each team').waitFor();
    await settle(page);
    expect(await findHindrances({ page })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'New limit' }).click();
    await page.getByLabel('At most').fill('0.000001');
    await page.getByText('It would have refused').waitFor();
    await page.getByText('Only some models, providers or kinds').click();
    expect(await findHindrances({ page })).toEqual([]);
  });
});
