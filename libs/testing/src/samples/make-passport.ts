import type { Passport } from '@weir/contracts';

const DEADLINE_MS = 30_000;

/** What the edge decided about a request that is admitted now, and that nothing limits. */
export function makePassport(decided: Partial<Passport> & Pick<Passport, 'endpointId' | 'attempts'>): Passport {
  const admittedAtMs = Date.now();
  return {
    version: 1,
    requestId: 'req-1',
    admittedAtMs,
    deadlineMs: admittedAtMs + DEADLINE_MS,
    caller: { organizationId: 'org', apiKeyId: 'key', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
    modelRequested: decided.attempts[0]?.modelId ?? '',
    stream: false,
    originTitle: null,
    endUserId: null,
    traceId: null,
    extra: {},
    hold: null,
    isStrict: false,
    ...decided,
  };
}
