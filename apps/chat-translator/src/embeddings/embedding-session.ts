import type { EmbeddingRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { openCharges, type RequestCharges, type RequestGuard } from '@weir/exchange';
import { parseJsonBody, type ParsedBody, type ForwardedRequest } from '@weir/http-server';
import type { ServerResponse } from 'node:http';
import { estimateTokens } from '../session/estimate-tokens';
import { decodeEmbeddingRequest } from './decode-embedding-request';

/** The request state: all that the worker knows about the embedding request it is serving. */
export type EmbeddingSession = {
  readonly forwarded: ForwardedRequest;
  /** Absent where no guardrail applies. */
  readonly guard?: RequestGuard | undefined;
  readonly charges: RequestCharges;
  readonly response: ServerResponse;
  readonly body: ParsedBody;
  readonly asked: EmbeddingRequest;
  /** Tokens of all inputs: exact where they came as tokens, else an estimate for providers that never report usage. */
  readonly promptEstimate: number;
  readonly isPromptCounted: boolean;
  /** Aborted when the time for the request is over. */
  readonly signal: AbortSignal;
  readonly isClientGone: () => boolean;
  readonly close: () => void;
};

/** Opens a session: from here on the deadline runs. Throws the caller's error when the request is invalid. */
export function openEmbeddingSession(forwarded: ForwardedRequest, now: () => number, guard?: RequestGuard): EmbeddingSession {
  const { response } = forwarded;
  const body = forwarded.parsed ?? parseJsonBody(forwarded.body);
  const asked = decodeEmbeddingRequest(body.json);
  const controller = new AbortController();
  const deadline = setTimeout(
    () =>
      controller.abort(
        new GatewayError('provider_timeout', 'The provider did not finish its answer in time. Try again, or ask for a shorter answer.'),
      ),
    Math.max(0, forwarded.passport.deadlineMs - now()),
  );
  return {
    forwarded,
    guard,
    charges: openCharges(forwarded),
    response,
    body,
    asked,
    promptEstimate: countInputs(asked),
    isPromptCounted: asked.inputs.kind === 'tokens',
    signal: controller.signal,
    isClientGone: () => response.destroyed,
    close: () => clearTimeout(deadline),
  };
}

function countInputs({ inputs }: EmbeddingRequest): number {
  if (inputs.kind === 'tokens') return inputs.items.reduce((sum, tokens) => sum + tokens.length, 0);
  return inputs.items.reduce((sum, text) => sum + estimateTokens(Buffer.byteLength(text)), 0);
}
