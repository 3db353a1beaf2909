import type { ConsoleParts } from './console-parts';

/** The settings of `consoleEnv`, and which proxies are believed. */
type ConsoleSettings = {
  readonly CONSOLE: boolean;
  readonly CONSOLE_IDLE_MINUTES: number;
  readonly PROXY_NETWORKS: readonly string[];
};

/** The console as it is set up; undefined where there is to be none. */
export function openConsole(env: ConsoleSettings, own: Pick<ConsoleParts, 'sealingKey' | 'gatewayUrl'>): ConsoleParts | undefined {
  if (!env.CONSOLE) return undefined;
  return { ...own, idleMs: env.CONSOLE_IDLE_MINUTES * 60_000, proxyNetworks: env.PROXY_NETWORKS };
}
