import type { ReadEnv } from '../provider-settings';
import { hideSecrets, indexSecrets, SECRET_LENGTH_MIN, type SecretIndex } from './hide-secrets';

/*
 * The keys that this process calls providers with, whoever they belong to. One list for all of it: a text of a provider
 * passes through decoders that know no account, and must not tell a key all the same.
 */

/** Of the installation: they stand in its settings as long as it runs. */
const ours = new Set<string>();
/** Of organizations, each with what ends its stay. */
const held = new Map<string, NodeJS.Timeout>();
const HELD_MAX = 2_000;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/;

/** Of all of them; made anew when one is asked for after they have changed. */
let index: SecretIndex | undefined;

/** The same settings; every secret that is read from them is never shown from then on, or for `heldMs`. */
export function watchSecrets(env: ReadEnv, heldMs?: number): ReadEnv {
  return (name) => {
    const value = env(name);
    const secret = value !== undefined && SECRET_NAME.test(name) ? value.trim() : '';
    if (secret.length < SECRET_LENGTH_MIN) return value;
    if (heldMs !== undefined) hold(secret, heldMs);
    else if (!ours.has(secret)) {
      ours.add(secret);
      index = undefined;
    }
    return value;
  };
}

function hold(secret: string, heldMs: number): void {
  release(secret);
  const oldest = held.keys().next().value;
  if (held.size >= HELD_MAX && oldest !== undefined) release(oldest);
  held.set(secret, setTimeout(() => release(secret), heldMs).unref());
  index = undefined;
}

function release(secret: string): void {
  clearTimeout(held.get(secret));
  held.delete(secret);
  index = undefined;
}

/** A provider's own words, of at most their first `charactersMax`, without any of them. */
export function hideKnownSecrets(text: string, charactersMax?: number): string {
  index ??= indexSecrets([...ours, ...held.keys()]);
  return hideSecrets(text, index, charactersMax);
}
