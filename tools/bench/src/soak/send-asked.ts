import { usdText } from '@weir/gateway-e2e';
import type { Asked } from './request-kinds';

export type Answer = {
  /** Null when the caller left before an answer, or none came. */
  readonly status: number | null;
  readonly text: string;
  /** USD as the reply states it; undefined when it does not. */
  readonly cost: string | undefined;
  readonly isReplayed: boolean;
  readonly hasLeft: boolean;
  readonly failure: string | undefined;
};

const TIMEOUT_MS = 60_000;
const COST = /"cost":\s*([0-9.eE+-]+)/g;

/** Calls as a client would and reads all of the answer, or leaves; never rejects. */
export async function sendAsked(url: string, apiKey: string, asked: Asked): Promise<Answer> {
  const { method = 'POST', path, body, headers, leaves } = asked;
  const leaving = new AbortController();
  const answer = { status: null as number | null, text: '', cost: undefined as string | undefined, isReplayed: false };
  const timer = setTimeout(() => leaving.abort(), typeof leaves === 'number' ? leaves : TIMEOUT_MS);
  try {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      signal: leaving.signal,
      ...(body === undefined ? {} : { body }),
    });
    answer.status = reply.status;
    answer.isReplayed = reply.headers.get('idempotency-replayed') === 'true';
    const decoder = new TextDecoder();
    for await (const chunk of reply.body ?? []) {
      answer.text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (leaves === 'at the first bytes') leaving.abort();
    }
    answer.cost = reply.headers.get('x-weir-cost') ?? findCost(answer.text);
    return { ...answer, hasLeft: false, failure: undefined };
  } catch (error) {
    const hasLeft = leaves !== undefined && leaving.signal.aborted;
    return { ...answer, hasLeft, failure: hasLeft ? undefined : describe(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** The last one in the reply: streams report more as they go on. */
function findCost(text: string): string | undefined {
  const reported = [...text.matchAll(COST)].at(-1)?.[1];
  return reported === undefined ? undefined : usdText(Number(reported));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
