import { createHash, randomBytes } from 'node:crypto';

const VALID_MS = 15 * 60_000;
const TOKEN = /^[\w-]{43}$/;

/** What a link signs in with: a key that is known, or none, and then one is made. */
export type LinkedKey = { readonly apiKey: string | undefined };

/** Links that sign in once, for a quarter of an hour. They end with the process, which keeps only their digests. */
export type SignInLinks = {
  /** Returns the token of a new one. */
  offer(linked: LinkedKey): string;
  /** What it signs in with, this once; undefined for one that is unknown, used or too old. */
  take(token: unknown): LinkedKey | undefined;
};

export function createSignInLinks(now: () => number): SignInLinks {
  const links = new Map<string, LinkedKey & { readonly endsAtMs: number }>();
  return {
    offer: (linked) => {
      const token = randomBytes(32).toString('base64url');
      links.set(digest(token), { ...linked, endsAtMs: now() + VALID_MS });
      return token;
    },
    take: (token) => {
      if (typeof token !== 'string' || !TOKEN.test(token)) return undefined;
      const name = digest(token);
      const link = links.get(name);
      links.delete(name);
      return link === undefined || link.endsAtMs <= now() ? undefined : { apiKey: link.apiKey };
    },
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
