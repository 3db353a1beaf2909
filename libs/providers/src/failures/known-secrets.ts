import type { ReadEnv } from '../provider-settings';

/*
 * The keys that this process calls providers with, whoever they belong to. One list for all of it: a text of a provider
 * passes through decoders that know no account, and must not tell a key all the same.
 */

/** Of the installation: they stand in its settings as long as it runs. */
const ours = new Set<string>();
/** Of organizations, each with what ends its stay. */
const held = new Map<string, NodeJS.Timeout>();
const HELD_MAX = 2_000;
/** Shorter texts are words. */
const LENGTH_MIN = 8;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/;

export const REMOVED_SECRET = '[removed]';

/** The same settings; every secret that is read from them is never shown from then on, or for `heldMs`. */
export function watchSecrets(env: ReadEnv, heldMs?: number): ReadEnv {
  return (name) => {
    const value = env(name);
    const secret = value !== undefined && SECRET_NAME.test(name) ? value.trim() : '';
    if (secret.length < LENGTH_MIN) return value;
    if (heldMs === undefined) ours.add(secret);
    else hold(secret, heldMs);
    return value;
  };
}

function hold(secret: string, heldMs: number): void {
  release(secret);
  const oldest = held.keys().next().value;
  if (held.size >= HELD_MAX && oldest !== undefined) release(oldest);
  held.set(secret, setTimeout(() => held.delete(secret), heldMs).unref());
}

function release(secret: string): void {
  clearTimeout(held.get(secret));
  held.delete(secret);
}

/** A provider's own words without any of them. */
export function hideKnownSecrets(text: string): string {
  return hideSecrets(hideSecrets(text, ours), held.keys());
}

export function hideSecrets(text: string, secrets: Iterable<string>): string {
  let cleaned = text;
  for (const secret of secrets) if (secret !== '') cleaned = cleaned.replaceAll(secret, REMOVED_SECRET);
  return cleaned;
}
