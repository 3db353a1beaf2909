import type { Page } from 'playwright-core';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from './call-harness';
import { openConsoleBrowser, signIn, type ConsoleBrowser, type Visit } from './open-console';
import { startStandalone, type Harness } from './start-standalone';

/** A gateway, its interface and its console: what a job is done with in the browser, and then asked about. */
export type ConsoleHarness = {
  readonly gateway: Harness;
  readonly call: CallHarness;
  /** Calls the interface and expects it to do what it is asked; a key other than the administrator's may ask. */
  must(route: string, body?: unknown, apiKey?: string): Promise<Record<string, unknown>>;
  /** Calls with a key and expects a refusal: its status and code. */
  refuse(route: string, body: unknown, apiKey: string): Promise<readonly [number, unknown]>;
  /** Someone at a page of the console, signed in with a key: the administrator's unless given. */
  visit(path: string, options?: { readonly apiKey?: string; readonly width?: number }): Promise<Page>;
  /** Ends all visits; none may have had a fault. */
  endVisits(): Promise<void>;
  close(): Promise<void>;
};

export async function startConsoleHarness(env: Record<string, string> = {}): Promise<ConsoleHarness> {
  const gateway = await startStandalone({ env });
  const call = createCallHarness(gateway);
  const browser = await openConsoleBrowser(gateway);
  const visits: Visit[] = [];
  return {
    gateway,
    call,
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
    visit: async (path, { apiKey = gateway.apiKey, width = 1280 } = {}) => {
      const visit = await openVisit(browser, { url: gateway.url, width });
      visits.push(visit);
      await signIn(visit, apiKey, path);
      return visit.page;
    },
    endVisits: async () => {
      const ended = visits.splice(0);
      for (const { context } of ended) await context.close();
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
async function openVisit(browser: ConsoleBrowser, { url, width }: { url: string; width: number }): Promise<Visit> {
  const visit = await browser.visit({ width });
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  return visit;
}

/** The status of a refusal, and its code. */
export function codeOf({ status, json }: HarnessReply): readonly [number, unknown] {
  return [status, (json['error'] as { readonly code?: unknown } | undefined)?.code];
}
