import {
  ACCOUNT_ANSWER,
  ACCOUNT_QUESTION,
  ACCOUNT_QUESTION_PATH,
  accountInspection,
  accountProbe,
  sealedMessage,
  type AccountQuestion,
} from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { TransitSealer } from '@weir/sealing';
import { readBoundedJson } from '../bodies/read-bounded-json';
import type { ProviderAccounts } from '../ports/provider-accounts';

type WorkerProviderAccountsOptions = {
  /** Of the chat-translators, as base URLs: the next one is asked where one is not there. */
  readonly urls: readonly string[];
  /** Under the secret that the worker has as well. */
  readonly seal: TransitSealer;
  readonly now: () => number;
  /** For each question; a provider that is asked may take ten seconds. */
  readonly timeoutMs?: number;
};

/** Asks a worker, where providers are called from another process. Rejects with `dependency_down` when it does not reply. */
export function createWorkerProviderAccounts({ urls, seal, now, timeoutMs = 15_000 }: WorkerProviderAccountsOptions): ProviderAccounts {
  const ask = async <Reply>(asked: Omit<AccountQuestion, 'askedAtMs'>, schema: { parse(json: unknown): Reply }): Promise<Reply> => {
    const question: AccountQuestion = { ...asked, askedAtMs: now() };
    try {
      const reply = await askFirst(urls, {
        method: 'POST',
        // Asked seldom: a connection kept for the next question might be closed by a worker that ends.
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ sealed: seal.seal(JSON.stringify(question), ACCOUNT_QUESTION) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const json = await readBoundedJson(reply);
      if (!reply.ok) throw new Error(`the worker replied ${reply.status}`);
      return schema.parse(JSON.parse(seal.open(sealedMessage.parse(json).sealed, ACCOUNT_ANSWER)));
    } catch (cause) {
      const message = 'The worker that calls providers cannot be reached at the moment. Send the request again shortly.';
      throw new GatewayError('dependency_down', message, { cause, retryAfterSeconds: 5 });
    }
  };
  return {
    inspect: (provider, fields) => ask({ kind: 'inspect', provider, fields }, accountInspection),
    probe: (provider, fields) => ask({ kind: 'probe', provider, fields }, accountProbe),
  };
}

async function askFirst([url = '', ...others]: readonly string[], request: RequestInit): Promise<Response> {
  try {
    return await fetch(new URL(ACCOUNT_QUESTION_PATH, url), request);
  } catch (error) {
    if (others.length === 0 || request.signal?.aborted === true) throw error;
    return askFirst(others, request);
  }
}
