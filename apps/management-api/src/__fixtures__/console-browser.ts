import type { ManagementHarness, Reply } from './start-management';

type Asked = { readonly body?: unknown; readonly headers?: Record<string, string>; readonly csrf?: string | null };

/** A browser at the console: it keeps the cookie, and sends the token of its session with what it changes. */
export type ConsoleBrowser = {
  cookie: string;
  csrfToken: string;
  send(method: string, path: string, asked?: Asked): Promise<Reply>;
  signIn(apiKey: string): Promise<Reply>;
};

export function openBrowser(harness: Pick<ManagementHarness, 'call'>): ConsoleBrowser {
  const browser: ConsoleBrowser = {
    cookie: '',
    csrfToken: '',
    send: async (method, path, { body, headers = {}, csrf = browser.csrfToken } = {}) => {
      const own = { ...(browser.cookie === '' ? {} : { cookie: browser.cookie }), ...(csrf === null ? {} : { 'x-csrf-token': csrf }) };
      const reply = await harness.call(method, `/console${path}`, { body, headers: { ...own, ...headers } });
      const set = reply.headers.get('set-cookie');
      if (set !== null) browser.cookie = set.split(';')[0] ?? '';
      return reply;
    },
    signIn: async (apiKey) => {
      const reply = await browser.send('POST', '/session', { body: { api_key: apiKey }, csrf: null });
      browser.csrfToken = String((reply.json as Record<string, unknown>)['csrf_token'] ?? '');
      return reply;
    },
  };
  return browser;
}
