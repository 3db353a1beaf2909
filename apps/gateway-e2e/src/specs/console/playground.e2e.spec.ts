import { describeWithRealParts, waitUntil } from '@weir/testing';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { findHindrances } from '../../harness/open-console';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

type Generation = {
  readonly cost: string;
  readonly model_requested: string;
  readonly status: string;
  readonly endpoint: string;
  readonly attempts: readonly { readonly tokens: { readonly output: number } }[];
};

describeWithRealParts(['browser'], 'the playground', () => {
  let harness: ConsoleHarness;

  /** What the interface says about the request that a link of the page leads to. */
  const readRequest = async (page: Page, place = 0): Promise<Generation> => {
    const href = await page.getByRole('link', { name: 'This request' }).nth(place).getAttribute('href');
    const route = `GET /v1/generation/${href?.split('/').at(-1)}`;
    // Usage is counted a moment after the reply.
    await waitUntil('the request is counted', async () => (await harness.call(route)).status === 200);
    return (await harness.call(route)).json['generation'] as Generation;
  };
  const prompt = (page: Page): ReturnType<Page['getByLabel']> => page.getByLabel('Prompt', { exact: true });

  /** Asked by the debugger: the policy of the page lets no text be run in it. */
  const until = (page: Page, expression: string): Promise<void> =>
    waitUntil(expression, async () => (await page.evaluate(expression)) === true);

  beforeAll(async () => {
    harness = await startConsoleHarness();
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('sends a prompt to three models at once, with what it costs before and after', async () => {
    const page = await harness.visit('/console/playground');
    for (const words of ['free', 'weir-sandbox']) {
      await page.getByRole('button', { name: 'Another model beside' }).click();
      await page.getByLabel('Find a model').fill(words);
      await page.getByRole('list', { name: 'Models' }).getByRole('button').first().click();
    }
    await page.waitForURL(/model=sandbox\/chat&model=sandbox\/chat-free&model=policy\/weir-sandbox$/);
    await prompt(page).fill('!tokens 12 please');
    const before = page.getByRole('group', { name: 'Cost before' });
    await before.getByText(/sandbox\/chat: costs at most/).waitFor();
    await before.getByText(/policy\/weir-sandbox: costs at most/).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'This request' }).nth(2).waitFor();

    const lane = page.getByRole('group', { name: 'Conversation with sandbox/chat', exact: true });
    await lane.getByText('word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12').waitFor();
    await lane.getByText(/tokens in, 12 out$/).waitFor();
    const request = await readRequest(page);
    expect(request).toMatchObject({
      model_requested: 'sandbox/chat',
      endpoint: 'chat-completions',
      attempts: [{ tokens: { output: 12 } }],
    });
    await lane.getByText(`$${request.cost}`).first().waitFor({ state: 'attached' });
    expect([(await readRequest(page, 1)).cost, (await readRequest(page, 2)).model_requested]).toEqual(['0', 'policy/weir-sandbox']);
    expect(page.url()).not.toContain('tokens');
  });

  it('takes a tool, an image and settings along, and the result of the tool back, by keyboard', async () => {
    const page = await harness.visit('/console/playground?model=sandbox/chat');
    await page.getByLabel('System prompt').fill('Be brief.');
    await page.getByLabel('Temperature').fill('7');
    await page.getByText('A number from 0 to 2.').waitFor();
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByRole('button', { name: 'Begin with an example' }).press('Enter');
    await page
      .getByLabel('Files', { exact: true })
      .or(page.locator('input[type=file]'))
      .first()
      .setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL },
        { name: 'film.mov', mimeType: 'video/quicktime', buffer: PIXEL },
      ]);
    await page.getByText(/dot\.png, \d+ bytes/).waitFor();
    await page.getByText(/film\.mov is none of what a prompt can hold/).waitFor();
    await prompt(page).focus();
    await page.keyboard.type('!tool get_weather {"city":"Graz"} please');
    const sent = page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions'));
    await page.keyboard.press('Enter');
    expect((await sent).postDataJSON()).toMatchObject({
      temperature: 0.5,
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'image_url' }, { type: 'text' }] },
      ],
    });
    await page.getByLabel('Result of get_weather').focus();
    await page.keyboard.type('It has 21 degrees.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'This request' }).nth(1).waitFor();
    // The sandbox repeats the result.
    expect(await page.getByText('It has 21 degrees.', { exact: true }).count()).toBe(2);
    expect(await readRequest(page, 1)).toMatchObject({ status: 'ok', attempts: [{ tokens: { output: 4 } }] });
  });

  it('stops a stream, says why one broke off, and counts what both have cost', async () => {
    const page = await harness.visit('/console/playground?model=sandbox/chat');
    await prompt(page).fill('!tokens 400 !gap 25');
    await page.keyboard.press('Enter');
    await page.getByText(/word5/).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await prompt(page).fill('!tokens 40 !gap 10 !cut 20');
    await page.keyboard.press('Enter');
    await page.getByText('Broken off', { exact: true }).waitFor();
    await page.getByText(/word1 .* word19$/).waitFor();
    await page.getByText('provider_stream_cut', { exact: false }).waitFor();
    await prompt(page).fill('!status 429');
    await page.keyboard.press('Enter');
    await page.getByText('provider_rate_limited', { exact: false }).waitFor();

    await page.getByText(/^3 replies: /).waitFor();
    const costs = [await readRequest(page, 0), await readRequest(page, 1), await readRequest(page, 2)].map(({ cost }) => Number(cost));
    expect(costs[0]).toBeGreaterThan(0);
    const total = (costs[0] as number) + (costs[1] as number) + (costs[2] as number);
    await page
      .getByText(`$${Number(total.toFixed(12))}`, { exact: true })
      .first()
      .waitFor({ state: 'attached' });
  });

  it('keeps what was written over a reload, and nothing after signing out', async () => {
    const page = await harness.visit('/console/playground?model=sandbox/chat');
    await prompt(page).fill('hello');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'This request' }).waitFor();
    await prompt(page).fill('half a thou');
    // Written down a moment after the last change.
    await until(page, 'JSON.stringify({ ...sessionStorage }).includes("half a thou")');
    await page.reload();
    await page.getByRole('link', { name: 'This request' }).waitFor();
    expect(await prompt(page).inputValue()).toBe('half a thou');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('half a thou');
  });

  it('goes on with a body that another page has left', async () => {
    const page = await harness.visit('/console/playground?model=sandbox/chat-free');
    // It takes what was left once: what is left now is for the next.
    await prompt(page).waitFor();
    const body = { model: 'sandbox/chat', n: 2, top_k: 3, messages: [{ role: 'user', content: 'again, please' }] };
    await page.evaluate(`sessionStorage.setItem('weir-playground-offered', ${JSON.stringify(JSON.stringify(body))})`);
    await page.goto('/console/playground');
    await page.getByText('n: 2. The playground shows one reply of a model.').waitFor();
    expect(await prompt(page).inputValue()).toBe('again, please');
    await page.waitForURL(/model=sandbox\/chat$/);
    const sent = page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect((await sent).postDataJSON()).toMatchObject({ model: 'sandbox/chat', top_k: 3 });
  });

  it('makes images, speech, and words of the speech', async () => {
    const page = await harness.visit('/console/playground?tab=images');
    await prompt(page).fill('A weir in spring');
    await page.getByText(/costs at most/).waitFor();
    await page.getByRole('button', { name: 'Make the image' }).click();
    await page.getByRole('img', { name: 'made from: A weir in spring' }).waitFor();
    expect(await readRequest(page)).toMatchObject({ model_requested: 'sandbox/image', cost: '0.01' });
    await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('button', { name: 'Edit the image' }).click();
    await page.getByText('The image is being made…').waitFor({ state: 'detached' });
    expect((await readRequest(page)).endpoint).toBe('image-edits');

    await page.getByRole('tab', { name: 'Speech' }).click();
    await page.getByLabel('Text', { exact: true }).fill('Good morning');
    await page.getByLabel('Format').selectOption('wav');
    await page.getByRole('button', { name: 'Speak' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download (wav)').click()]);
    const recording = await download.path();
    await until(page, 'document.querySelector("audio").duration > 0');
    expect((await readRequest(page)).cost).toBe('0.00018');

    await page.getByRole('tab', { name: 'Transcription' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'speech.wav', mimeType: 'audio/wav', buffer: readFileSync(recording) });
    await page.getByText(/costs at most/).waitFor();
    await page.getByRole('button', { name: 'Transcribe' }).click();
    await page.getByText('Good morning', { exact: true }).waitFor();
    expect(await readRequest(page)).toMatchObject({ model_requested: 'sandbox/transcription', status: 'ok' });
  });

  it('says on the page about money what many requests would cost, as the gateway charges one', async () => {
    const page = await harness.visit('/console/playground?model=sandbox/chat');
    await prompt(page).fill('one two three four');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'This request' }).waitFor();
    const { cost } = await readRequest(page);
    await page.goto('/console/money?tab=estimate');
    await page.getByRole('button', { name: 'Model' }).press('Enter');
    await page.getByLabel('Find a model').fill('sandbox/chat');
    await page.keyboard.press('Enter');
    for (const [label, value] of [
      ['Requests a day', '1000'],
      ['Tokens in', '4'],
      ['Tokens out', '4'],
      ['Days a month', '1'],
    ] as const)
      await page.getByLabel(label).fill(value);
    expect(cost).toBe('0.00002');
    await page.getByRole('region', { name: 'Cost' }).getByText('$0.02').first().waitFor({ state: 'attached' });
  });

  it.each(['light', 'dark'] as const)(
    'hinders no one, %s',
    async (theme) => {
      const page = await harness.visit('/console/playground?model=sandbox/chat&model=sandbox/chat-free', { theme, width: 390 });
      await prompt(page).fill('Some code:\n```js\nconst a = 1;\n```');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('link', { name: 'This request' }).nth(1).waitFor();
      expect(await findHindrances({ page })).toEqual([]);
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(over).toBe(0);
    },
    40_000,
  );
});
