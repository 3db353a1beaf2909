import { NO_USAGE } from '@weir/canonical';
import type { Passport } from '@weir/contracts';
import { createAttemptMetrics, createMetricsRegistry, type Tracing } from '@weir/telemetry';
import type { ServerResponse } from 'node:http';
import type { ClosingFacts, Till } from '../till';
import { createAttemptObserver } from './observe-attempts';

const SPAN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
const FACTS: ClosingFacts = { usage: NO_USAGE, status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true };
const passport = {
  requestId: 'r',
  endpointId: 'chat-completions',
  attempts: [{ modelId: 'maker/model', providerId: 'maker', upstreamModel: 'model' }],
} as unknown as Passport;

/** Closes one attempt of a request that is observed, and answers what the till was told. */
async function closeAttempt(traceparent: string | undefined): Promise<ClosingFacts | undefined> {
  let told: ClosingFacts | undefined;
  const receipt = { costPico: 0n, costUsd: '0', billedPico: 0n };
  const close = (facts: ClosingFacts) => {
    told = facts;
    return receipt;
  };
  const till: Till = { openAttempt: () => ({ eventId: 'e', progress: () => undefined, noteFirstByte: () => undefined, close }) };
  const tracing: Tracing = {
    startSpan: () => ({ traceparent: String(traceparent), note: () => undefined, rename: () => undefined, end: () => undefined }),
    close: () => Promise.resolve(),
  };
  const observer = createAttemptObserver({
    till,
    metrics: createAttemptMetrics(createMetricsRegistry()),
    tracing: traceparent === undefined ? undefined : tracing,
    isTracingProviders: false,
  });
  const handle = observer.guard(() => Promise.resolve(void observer.till.openAttempt(passport, 0, 1).close(FACTS)));
  await handle({ passport, headers: {}, response: {} as ServerResponse });
  return told;
}

describe('what an event tells of its trace', () => {
  it('is the span of its attempt, where that is kept', async () => {
    expect(await closeAttempt(`${SPAN}-01`)).toEqual({ ...FACTS, traceparent: `${SPAN}-01` });
  });

  it('is nothing where the trace is not kept, and where nothing is traced', async () => {
    expect(await closeAttempt(`${SPAN}-00`)).toEqual(FACTS);
    expect(await closeAttempt(undefined)).toBe(FACTS);
  });
});
