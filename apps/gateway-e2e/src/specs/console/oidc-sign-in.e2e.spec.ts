import { describeWithRealParts, startOidcProvider, type OidcProvider } from '@weir/testing';
import type { Page } from 'playwright-core';
import { findFreePort } from '../../harness/find-free-port';
import { findHindrances, openConsoleBrowser, type ConsoleBrowser, type Visit } from '../../harness/open-console';
import { startStandalone, type Harness } from '../../harness/start-standalone';

const ROLES = JSON.stringify({ 'weir-admins': 'admin', research: { role: 'member', groups: ['Research'] } });
const ACCOUNTS = {
  ann: { email: 'ann@acme.example', email_verified: true, given_name: 'Ann', groups: ['weir-admins'] },
  ben: { email: 'ben@acme.example', email_verified: true, given_name: 'Ben', groups: ['research'] },
  eve: { email: 'eve@acme.example', email_verified: true, groups: ['others'] },
};

/** Named by the provider's own pages, which do without. */
const FONTS = 'https://fonts.googleapis.com/';

/** What a browser asks for with the session of its page. */
async function ask(page: Page, path: string): Promise<{ status: number; json: Record<string, unknown> }> {
  const reply = await page.request.get(`/console/api${path}`);
  return { status: reply.status(), json: (await reply.json()) as Record<string, unknown> };
}

/** At the pages of the provider. */
async function pass(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describeWithRealParts(['browser'], 'signing in to the console by a provider of another site', () => {
  let provider: OidcProvider;
  let harness: Harness;
  let browser: ConsoleBrowser;
  const visits: Visit[] = [];

  beforeAll(async () => {
    const port = await findFreePort();
    provider = await startOidcProvider(`http://127.0.0.1:${port}/console/oidc/callback`, ACCOUNTS);
    harness = await startStandalone({
      env: {
        ...{ PORT: String(port), CONSOLE_OIDC_ISSUER: provider.issuer, CONSOLE_OIDC_CLIENT_ID: provider.clientId },
        ...{ CONSOLE_OIDC_CLIENT_SECRET: provider.clientSecret, CONSOLE_OIDC_NAME: 'Acme', CONSOLE_OIDC_ROLES: ROLES },
        CONSOLE_OIDC_SCOPES: 'openid email profile groups',
      },
    });
    const headers = { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' };
    await fetch(`${harness.url}/v1/manage/group`, { method: 'POST', headers, body: JSON.stringify({ name: 'Research' }) });
    browser = await openConsoleBrowser(harness);
  }, 120_000);
  afterEach(async () => {
    for (const { context, faults } of visits.splice(0)) {
      await context.close();
      const isProviders = (fault: string): boolean => [provider.issuer, FONTS].some((url) => fault.startsWith(`elsewhere: ${url}`));
      expect(faults.filter((fault) => !isProviders(fault))).toEqual([]);
    }
  });
  afterAll(async () => {
    await browser.close();
    await harness.process.terminate();
    await provider.stop();
  });
  const visit = async (options?: Parameters<ConsoleBrowser['visit']>[0]): Promise<Visit> => {
    const made = await browser.visit(options);
    visits.push(made);
    await made.context.route(`${FONTS}**`, (route) => route.abort());
    return made;
  };

  it('is done by pointer, leads to where someone wanted to go, and out again for good', async () => {
    const { page, context } = await visit();
    await page.goto('/console/requests?model=sandbox/chat&status=error');
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByPlaceholder('Enter any login').waitFor();
    expect(new URL(page.url()).origin).toBe(provider.issuer);
    await pass(page, 'ann');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(page.url()).toBe(`${harness.url}/console/requests?model=sandbox/chat&status=error`);

    const own = await ask(page, '/v1/manage/apikey/self');
    expect(own.json).toMatchObject({ acts_as: 'organization-admin', created_by: { email: 'ann@acme.example' } });
    const [cookie, ...others] = await context.cookies(`${harness.url}/console/oidc/`);
    expect([cookie, others]).toEqual([expect.objectContaining({ name: 'weir_console', httpOnly: true, sameSite: 'Strict' }), []]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByText('ann@acme.example').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    await context.addCookies([cookie as NonNullable<typeof cookie>]);
    expect((await ask(page, '/v1/manage/apikey/self')).status).toBe(401);
  });

  it('is done by the keyboard alone, as a member of the group that the provider’s group stands for', async () => {
    const { page } = await visit();
    await page.goto('/console/');
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('Enter any login').focus();
    await page.keyboard.type('ben');
    await page.keyboard.press('Tab');
    await page.keyboard.type('anything');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    const { json } = await ask(page, '/v1/manage/apikey/self');
    expect(json).toMatchObject({ acts_as: 'member', permissions: { manage: 'write', completions: 'write' } });
    expect(json['groups']).toEqual([{ id: (json['group'] as { id: string }).id, role: 'member' }]);
    expect((await ask(page, '/v1/manage/org')).status).toBe(403);
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('says to somebody who may not sign in whom to ask, and hinders no one: %s', async (theme) => {
    const seen = await visit({ theme, width: 390 });
    const { page } = seen;
    await page.goto('/console/sign-in');
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await pass(page, 'eve');
    await page.getByText('Ask an administrator of the organization to add you').waitFor();
    expect(await findHindrances(seen)).toEqual([]);
    expect((await ask(page, '/v1/manage/apikey/self')).status).toBe(401);
    expect(harness.process.output()).toContain('no group of theirs at the identity provider is mapped');
  });

  it('ends within five seconds for a member who is taken out', async () => {
    const { page } = await visit();
    await page.goto('/console/oidc/start');
    await pass(page, 'ben');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const { json } = await ask(page, '/v1/manage/apikey/self');
    const { id } = json['created_by'] as { id: string };
    const headers = { authorization: `Bearer ${harness.apiKey}` };
    await fetch(`${harness.url}/v1/manage/org/member/${id}`, { method: 'DELETE', headers });
    const untilMs = Date.now() + 5_000;
    let status = 0;
    while (status !== 401 && Date.now() < untilMs) {
      ({ status } = await ask(page, '/v1/manage/apikey/self'));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(status).toBe(401);
    await page.goto('/console/oidc/start');
    await page.getByText('Your membership of this organization has ended').waitFor();
    // The log has neither codes nor secrets.
    expect(harness.process.output()).not.toMatch(/code=|state=/);
    expect(harness.process.output()).not.toContain(provider.clientSecret);
  });
});
