import type { OidcSettings } from './oidc/read-oidc-settings';

/** What the console is served with, beside the parts of the management interface. */
export type ConsoleParts = {
  /** The setting `SEALING_KEY`: what sessions are sealed under is made from it. */
  readonly sealingKey: string;
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  /** Where the public interface is, as base URL; undefined where no one said. */
  readonly gatewayUrl: () => string | undefined;
  /** Whose word counts about how a browser has called. */
  readonly proxyNetworks: readonly string[];
  /** Where people sign in beside by keys; absent: nowhere. */
  readonly oidc?: OidcSettings | undefined;
  /** How often may be tried to sign in within a minute; absent: as usual. */
  readonly attempts?: { readonly perAddress: number; readonly inTotal: number };
  /** The built files; absent: those of the package of the console. */
  readonly filesFolder?: string;
};

/** Everything of the console is below it. */
export const CONSOLE_PATH = '/console';
