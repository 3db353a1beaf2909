import type { BrowserContext, Page } from 'playwright-core';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from './call-harness';
import { openConsoleBrowser, takeSession, type ConsoleBrowser, type Visit, type VisitOptions } from './open-console';
import { startStandalone, type Harness } from './start-standalone';

/** With a key of their own; the administrator's unless given. */
type VisitorOptions = Omit<VisitOptions, 'profile'> & { readonly apiKey?: string };

/** A gateway, its interface and its console: what a job is done with in the browser, and then asked about. */
export type ConsoleHarness = {
  readonly gateway: Harness;
  readonly call: CallHarness;
  /** Calls the interface and expects it to do what it is asked; a key other than the administrator's may ask. */
  must(route: string, body?: unknown, apiKey?: string): Promise<Record<string, unknown>>;
  /** Calls with a key and expects a refusal: its status and code. */
  refuse(route: string, body: unknown, apiKey: string): Promise<readonly [number, unknown]>;
  /** Someone who is signed in, and has not gone anywhere yet. */
  arrive(options?: VisitorOptions): Promise<Page>;
  /** Someone who is signed in, at a page of the console. */
  visit(path: string, options?: VisitorOptions): Promise<Page>;
  /** Ends all visits; none may have had a fault. */
  endVisits(): Promise<void>;
  close(): Promise<void>;
};

export async function startConsoleHarness(env: Record<string, string> = {}): Promise<ConsoleHarness> {
  const starting = startStandalone({ env });
  const [gateway, browser] = await Promise.all([starting, openConsoleBrowser(starting)]);
  const call = createCallHarness(gateway);
  const visits: Visit[] = [];
  const profiles: BrowserContext[] = [];
  const arrive = async (options: VisitorOptions = {}): Promise<Page> => {
    const visit = await openVisit(browser, gateway.url, { ...options, profile: profiles.pop() });
    visits.push(visit);
    await takeSession(visit, options.apiKey ?? gateway.apiKey);
    return visit.page;
  };
  return {
    gateway,
    call,
    arrive,
    must: async (route, body, apiKey = gateway.apiKey) => {
      const reply = await call(route, body, { authorization: `Bearer ${apiKey}` });
      if (reply.status > 299) throw new Error(`${route}: ${reply.status} ${reply.text}`);
      return reply.json;
    },
    refuse: async (route, body, apiKey) => {
      // A machine that is busy with tests may be overloaded, which is no answer to who may do what.
      const ask = () => call(route, body, { authorization: `Bearer ${apiKey}` });
      return codeOf(await callUntil(ask, ({ status }) => status !== 503));
    },
    visit: async (path, options) => {
      const page = await arrive(options);
      await page.goto(path);
      await page.locator('#main h1').first().waitFor();
      return page;
    },
    endVisits: async () => {
      const ended = visits.splice(0);
      for (const visit of ended) profiles.push(await leave(visit));
      const faults = ended.flatMap((visit) => visit.faults);
      if (faults.length > 0) throw new Error(`the console had faults:\n${faults.join('\n')}`);
    },
    close: async () => {
      await browser.close();
      await gateway.process.terminate();
    },
  };
}

/** A visitor who may use the clipboard. */
async function openVisit(browser: ConsoleBrowser, url: string, options: VisitOptions): Promise<Visit> {
  const visit = await browser.visit(options);
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  return visit;
}

/** The profile of a visitor, as that of someone who has never been here: but for the files of the console, which need no second loading. */
async function leave({ context }: Visit): Promise<BrowserContext> {
  for (const page of context.pages()) {
    await page.evaluate('location.protocol.startsWith("http") && localStorage.clear()');
    await page.close();
  }
  await context.clearCookies();
  return context;
}

/** The status of a refusal, and its code. */
export function codeOf({ status, json }: HarnessReply): readonly [number, unknown] {
  return [status, (json['error'] as { readonly code?: unknown } | undefined)?.code];
}
