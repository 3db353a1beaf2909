import { z } from 'zod';
import { readFromFile } from '../read-from-file';
import { SecretUnavailable } from '../secret-source';
import { explainStatus } from './explain-status';
import type { SendToVault, VaultAnswer } from './send-to-vault';

/** How this process shows Vault who it is. */
export type VaultLogin =
  | { readonly kind: 'token'; readonly token: string }
  /** As an agent of Vault writes it; read again for each use. */
  | { readonly kind: 'token-file'; readonly path: string }
  | { readonly kind: 'kubernetes'; readonly role: string; readonly mount: string; readonly jwtPath: string };

export type VaultSession = {
  /** A token that is good at the moment. */
  token(): Promise<string>;
  /** Vault has refused the token: whether there may be another one now. */
  renounce(): boolean;
};

type SessionParts = {
  readonly login: VaultLogin;
  readonly send: SendToVault;
  readonly namespaceHeaders: Readonly<Record<string, string>>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

type Lease = { readonly token: string; readonly isRenewable: boolean; readonly renewAtMs: number; readonly endsAtMs: number };

const auth = z.object({
  auth: z.object({ client_token: z.string().min(1), lease_duration: z.number().min(0), renewable: z.boolean() }),
});
const ownToken = z.object({ data: z.object({ ttl: z.number().min(0), renewable: z.boolean().optional() }) });

/** Renewed once so much of its time is over. */
const RENEW_AFTER = 2 / 3;

/** Keeps a token: asks for it, renews it before it ends, and asks for another where it can no longer be renewed. */
export function createVaultSession({ login, send, namespaceHeaders, now }: SessionParts): VaultSession {
  let lease: Lease | undefined;
  let running: Promise<Lease> | undefined;

  const call = (path: string, token: string | undefined, body?: unknown): Promise<VaultAnswer> => {
    const headers = token === undefined ? namespaceHeaders : { ...namespaceHeaders, 'x-vault-token': token };
    return send({ method: path.endsWith('lookup-self') ? 'GET' : 'POST', path, headers, body });
  };
  const leaseOf = (token: string, seconds: number, isRenewable: boolean): Lease => {
    // A token without an end is never renewed.
    const lifeMs = seconds === 0 ? Infinity : seconds * 1000;
    return { token, isRenewable, renewAtMs: now() + lifeMs * RENEW_AFTER, endsAtMs: now() + lifeMs };
  };
  const begin = async (): Promise<Lease> => {
    if (login.kind === 'kubernetes') {
      const body = { role: login.role, jwt: await readFromFile(login.jwtPath) };
      return leaseOfAuth(await call(`auth/${login.mount}/login`, undefined, body), `the login as the role "${login.role}"`, leaseOf);
    }
    if (login.kind === 'token-file') return leaseOf(await readFromFile(login.path), 0, false);
    const { status, json } = await call('auth/token/lookup-self', login.token);
    const known = ownToken.safeParse(json);
    // A token may be allowed to read secrets and nothing else: then how long it lives is not for us to know.
    if (status !== 200 || !known.success) return leaseOf(login.token, 0, false);
    return leaseOf(login.token, known.data.data.ttl, known.data.data.renewable === true);
  };
  const renew = async (held: Lease): Promise<Lease> => {
    const answer = await call('auth/token/renew-self', held.token, {});
    return answer.status === 200 ? leaseOfAuth(answer, 'the renewal of the token', leaseOf) : begin();
  };
  const next = (): Promise<Lease> => {
    const held = lease;
    if (held === undefined || now() >= held.endsAtMs || (now() >= held.renewAtMs && !held.isRenewable)) return begin();
    return now() < held.renewAtMs ? Promise.resolve(held) : renew(held).catch(() => held);
  };

  return {
    token: async () => {
      if (login.kind === 'token-file') return readFromFile(login.path);
      running ??= next().finally(() => (running = undefined));
      lease = await running;
      return lease.token;
    },
    renounce: () => {
      lease = undefined;
      return login.kind === 'kubernetes';
    },
  };
}

function leaseOfAuth(answer: VaultAnswer, what: string, leaseOf: (token: string, seconds: number, isRenewable: boolean) => Lease): Lease {
  if (answer.status !== 200) throw explainStatus(answer.status, what);
  const read = auth.safeParse(answer.json);
  if (!read.success) throw new SecretUnavailable(`Vault replied to ${what} with what is no token`);
  const { client_token: token, lease_duration: seconds, renewable } = read.data.auth;
  return leaseOf(token, seconds, renewable);
}
