import type { ReadEnv } from '../settings/provider-settings';
import { hideSecrets, indexSecrets, SECRET_LENGTH_MIN, type SecretIndex } from './hide-secrets';

/*
 * The keys that this process calls providers with, of all accounts. One list for the process: a text of a provider
 * passes through decoders that know no account, and must never show a key.
 */

/** Of the installation: kept as long as the process runs. */
const ours = new Set<string>();
/** Of organizations, each with the timer that removes it. */
const kept = new Map<string, NodeJS.Timeout>();
const KEPT_MAX = 2_000;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/;

/** Of all of them; built again when it is needed after a change. */
let index: SecretIndex | undefined;

/** The same settings; every secret that is read from them is never shown from then on, or for `keptMs`. */
export function watchSecrets(env: ReadEnv, keptMs?: number): ReadEnv {
  return (name) => {
    const value = env(name);
    const secret = value !== undefined && SECRET_NAME.test(name) ? value.trim() : '';
    if (secret.length < SECRET_LENGTH_MIN) return value;
    if (keptMs !== undefined) keep(secret, keptMs);
    else if (!ours.has(secret)) {
      ours.add(secret);
      index = undefined;
    }
    return value;
  };
}

function keep(secret: string, keptMs: number): void {
  release(secret);
  const oldest = kept.keys().next().value;
  if (kept.size >= KEPT_MAX && oldest !== undefined) release(oldest);
  kept.set(secret, setTimeout(() => release(secret), keptMs).unref());
  index = undefined;
}

function release(secret: string): void {
  clearTimeout(kept.get(secret));
  kept.delete(secret);
  index = undefined;
}

/** A provider's own words, of at most their first `charactersMax`, without any of them. */
export function hideKnownSecrets(text: string, charactersMax?: number): string {
  index ??= indexSecrets([...ours, ...kept.keys()]);
  return hideSecrets(text, index, charactersMax);
}
