/**
 * What the one log line of a request has besides its ending: ids, model, provider; never content or credentials. The order
 * here is the order of the line; what is undefined is left out of it.
 */
export type RequestNotes = {
  organizationId?: string | undefined;
  apiKeyId?: string | undefined;
  apiKeyName?: string | undefined;
  model?: string | undefined;
  isReplayed?: boolean | undefined;
  provider?: string | undefined;
  /** Text where it was read from the response of another process. */
  attempts?: number | string | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  costUsd?: string | undefined;
  /** Why a passport was refused. */
  passport?: string | undefined;
  /** What the system said of a connection that failed, where it said anything. */
  cause?: string | null | undefined;
  error?: string | undefined;
  refusalsNotLogged?: number | undefined;
};

/** All members are there from the start: notes of every request have one shape, whatever order they are taken in. */
export function createRequestNotes(): RequestNotes {
  return {
    organizationId: undefined,
    apiKeyId: undefined,
    apiKeyName: undefined,
    model: undefined,
    isReplayed: undefined,
    provider: undefined,
    attempts: undefined,
    inputTokens: undefined,
    outputTokens: undefined,
    costUsd: undefined,
    passport: undefined,
    cause: undefined,
    error: undefined,
    refusalsNotLogged: undefined,
  };
}
