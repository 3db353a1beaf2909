import type { oidcEnv } from '@weir/config';
import type { z } from 'zod';
import type { ConsoleParts } from './console-parts';
import { readOidcSettings } from './oidc/read-oidc-settings';

/** The settings of `consoleEnv` and `oidcEnv`, and which proxies are believed. */
type ConsoleSettings = z.infer<typeof oidcEnv> & {
  readonly CONSOLE: boolean;
  readonly CONSOLE_IDLE_MINUTES: number;
  readonly PROXY_NETWORKS: readonly string[];
};

/** The console as it is set up; undefined where there is to be none. Throws for half a provider of OpenID Connect. */
export function openConsole(env: ConsoleSettings, own: Pick<ConsoleParts, 'sealingKey' | 'gatewayUrl'>): ConsoleParts | undefined {
  if (!env.CONSOLE) return undefined;
  return { ...own, idleMs: env.CONSOLE_IDLE_MINUTES * 60_000, proxyNetworks: env.PROXY_NETWORKS, oidc: readOidcSettings(env) };
}
