import { describeWithRealParts } from '@weir/testing';
import type { CallHarness } from '../../harness/call-harness';
import { findHindrances } from '../../harness/open-console';
import { pressAt, tabTo } from '../../harness/browser-steps';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const EMAIL = 'ann@example.com';
const HOSTILE = '<img src=x onerror=alert(1)>';

describeWithRealParts(['browser'], 'rules in the console', () => {
  let harness: ConsoleHarness;
  let call: CallHarness;

  const read = async <Row>(path: string, name: string): Promise<Row[]> => (await call(`GET ${path}`)).json[name] as Row[];

  beforeAll(async () => {
    // Whose models do not promise that nothing is trained with what is sent.
    harness = await startConsoleHarness({ GROQ_API_KEY: 'none' });
    ({ call } = harness);
    await call('POST /v1/manage/policy', {
      ...{ name: 'everyday', strategy: 'weighted', sticky_by: 'user_id' },
      models: [{ model: 'sandbox/chat', weight: 3 }, 'sandbox/chat-free', 'openai/gpt-4o-mini'],
    });
  });
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('by pointer: an access list is made with its models in sight, changed, and deleted', async () => {
    const page = await harness.visit('/console/rules');
    await page.getByRole('button', { name: 'New access list' }).click();
    const dialog = page.getByRole('dialog', { name: 'New access list' });
    await dialog.getByRole('button', { name: 'Create the list' }).click();
    await dialog.getByText('Must not be empty.').waitFor();
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByLabel('Chat: model ids or patterns').fill('sandbox/chat*\nopnai/gpt');
    await dialog.getByText('"opnai/gpt" lets nothing in').waitFor();
    const preview = await call('POST /v1/manage/access-list/preview', { chat: ['sandbox/chat*'] });
    const { chat } = preview.json['models'] as { chat: string[] };
    await dialog.getByText(`${chat.length} models`).waitFor();
    expect(await dialog.getByRole('list', { name: 'Chat' }).getByRole('listitem').allInnerTexts()).toEqual(chat);
    await dialog.getByLabel('Chat: model ids or patterns').fill('sandbox/chat*');
    await dialog.getByRole('button', { name: 'Create the list' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read('/v1/manage/access-list', 'access_lists')).toEqual([
      expect.objectContaining({ name: HOSTILE, auto_approve: false, chat: ['sandbox/chat*'], image: [] }),
    ]);

    await page.getByRole('button', { name: `Change or delete ${HOSTILE}` }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete the access list' }).click();
    await page.getByText('No access lists yet').waitFor();
    expect(await read('/v1/manage/access-list', 'access_lists')).toEqual([]);
  });

  it('by keyboard: a policy is made, drawn, and leads to its plan', async () => {
    const page = await harness.visit('/console/rules?tab=routes');
    await pressAt(page, page.getByRole('button', { name: 'New policy' }));
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.waitFor();
    for (const [label, text] of [
      ['Name', 'careful'],
      ['Model 1', 'policy/everyday'],
      ['Model 2', 'sandbox/chat'],
    ] as const) {
      await tabTo(page, dialog.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await read('/v1/manage/policy', 'policies')).toEqual([
      expect.objectContaining({ name: 'everyday' }),
      expect.objectContaining({
        ...{ name: 'careful', strategy: 'fallback' },
        models: [
          { model: 'policy/everyday', weight: 1, retries: 0 },
          { model: 'sandbox/chat', weight: 1, retries: 0 },
        ],
      }),
    ]);
    await page.getByText('policy/careful tries in this order: policy/everyday, sandbox/chat.').waitFor();
    await page.getByText('policy/everyday begins by weight with one of: sandbox/chat 60%, sandbox/chat-free 20%').waitFor();

    await pressAt(page, page.getByRole('article', { name: 'policy/careful' }).getByRole('link', { name: 'Plan a request' }));
    await page.getByRole('heading', { name: 'It would be served' }).waitFor();
    expect(new URL(page.url()).searchParams.get('model')).toBe('policy/careful');
  });

  it('says what would happen to a request, as it then happens', async () => {
    const page = await harness.visit('/console/rules?tab=plan&model=policy/everyday');
    await page.getByText('End user, headers and labels').click();
    await page.getByLabel('End user').fill('user-7');
    await page.getByRole('button', { name: 'Plan it' }).click();
    await page.getByText('by weight, the same way for the same user or trace').waitFor();
    const models = await page.getByRole('table', { name: 'Attempts' }).locator('tbody tr td:nth-child(2)').allInnerTexts();
    const sent = await call('POST /v1/chat/completions', {
      ...{ model: 'policy/everyday', messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 500, weir: { user_id: 'user-7' } },
    });
    expect([models.length, sent.headers['x-weir-model']]).toEqual([2, models[0]]);
    const leftOut = page.getByRole('table', { name: 'Left out' });
    expect(await leftOut.innerText()).toMatch(/openai\/gpt-4o-mini[\s\S]*provider not set up[\s\S]*OPENAI_API_KEY is not set/);

    await page.getByLabel('Headers').fill('x-weir-data-policy: residency=eu\nx-weir-team: search');
    await page.getByRole('button', { name: 'Plan it' }).click();
    await page.getByRole('heading', { name: 'It would be refused' }).waitFor();
    await page.getByText('403 data_policy').waitFor();
  });

  it('by pointer: a guardrail is tried before it holds, made, and tried with the others', async () => {
    const page = await harness.visit('/console/rules?tab=guardrails');
    await page.getByRole('button', { name: 'New guardrail' }).click();
    const dialog = page.getByRole('dialog', { name: 'New guardrail' });
    await dialog.getByLabel('Name', { exact: true }).fill('no addresses');
    await dialog.getByLabel('A text to try').fill(`Write to ${EMAIL} today`);
    await dialog.getByRole('button', { name: 'Try it' }).click();
    await dialog.getByText('Write to [EMAIL_1] today').waitFor();
    await dialog.getByRole('button', { name: 'Create the guardrail' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read('/v1/manage/guardrail', 'guardrails')).toEqual([
      expect.objectContaining({ name: 'no addresses', detectors: ['email'], action: 'mask', stage: 'both' }),
    ]);
    await page.getByLabel('A text to try').fill(`Write to ${EMAIL}`);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(`email of “no addresses” finds “${EMAIL}” (mask)`).waitFor();
    expect(harness.gateway.process.output()).not.toContain(EMAIL);
    expect((await call('GET /v1/manage/audit')).text).not.toContain(EMAIL);
  });

  it('by keyboard: data rules show what they will shut out, and then hold', async () => {
    const page = await harness.visit('/console/rules?tab=data');
    await page.getByText('models that can be called here may be used.').waitFor();
    await pressAt(page, page.getByRole('group', { name: 'They are used for training' }).getByRole('button', { name: 'Never' }));
    await page.getByRole('heading', { name: 'What this would shut out' }).waitFor();
    const preview = await call('POST /v1/manage/org/preview', { data_used_for_training: false });
    const { shut_out: shutOut } = preview.json as unknown as { shut_out: readonly { is_new: boolean }[] };
    expect(shutOut.length).toBeGreaterThan(0);
    await page.getByText(`${new Intl.NumberFormat('en').format(shutOut.length)} models that can be used now are shut out.`).waitFor();
    await pressAt(page, page.getByRole('button', { name: 'Save the data rules' }));
    await page.getByRole('heading', { name: 'What is shut out' }).waitFor();
    expect((await call('GET /v1/manage/org')).json['organization']).toMatchObject({ data_used_for_training: false, data_residency: null });
  });

  it('shows a key that is no administrator’s what happens to its own requests, and no rules', async () => {
    const member = await call('POST /v1/manage/org/member', { email: 'ann@somewhere.example' });
    const { user_id: memberId } = member.json['member'] as { user_id: string };
    const made = await call('POST /v1/manage/apikey', { name: 'of ann', member_id: memberId, permissions: { completions: 'write' } });
    const page = await harness.visit('/console/rules?tab=guardrails&model=sandbox/chat', { apiKey: String(made.json['api_key']) });
    await page.getByText('The rules themselves are shown to administrators').waitFor();
    await page.getByText('with the key “of ann”').waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'hinders no one, %s',
    async (theme) => {
      const page = await harness.visit('/console/rules', { theme });
      for (const [tab, text] of [
        ['access', 'No access lists yet'],
        ['routes', 'policy/everyday begins'],
        ['plan&model=policy/everyday', 'What bounds it'],
        ['guardrails', 'Try all of them together'],
        ['data', 'models that can be called here may be used'],
      ] as const) {
        await page.goto(`/console/rules?tab=${tab}`);
        await page.getByText(text).first().waitFor();
        expect([tab, await findHindrances({ page })]).toEqual([tab, []]);
      }
    },
    60_000,
  );
});
