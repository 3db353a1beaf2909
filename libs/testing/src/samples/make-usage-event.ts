import { randomUUID } from 'node:crypto';
import type { SequencedUsageEvent, UsageEvent } from '@weir/contracts';

export const ORGANIZATION_ID = '11111111-1111-4111-8111-111111111111';
export const API_KEY_ID = '22222222-2222-4222-8222-222222222222';

export const NO_UNITS: UsageEvent['units'] = {
  in: 0,
  out: 0,
  cached_in: 0,
  cache_w5m: 0,
  cache_w1h: 0,
  reasoning: 0,
  audio_in: 0,
  audio_out: 0,
  images: 0,
  chars: 0,
  ms_audio: 0,
  searches: 0,
};

/** A whole event, with what a test is about put in. */
export function makeUsageEvent(more: Partial<UsageEvent> = {}): UsageEvent {
  const requestId = more.request_id ?? randomUUID();
  return {
    v: 1,
    event_id: `${requestId}:${more.attempt_no ?? 1}`,
    request_id: requestId,
    attempt_no: 1,
    logical: true,
    admitted_at: Date.UTC(2026, 7, 7, 12, 30),
    ended_at: Date.UTC(2026, 7, 7, 12, 31),
    dur_ms: 1000,
    ttft_ms: 100,
    org_id: ORGANIZATION_ID,
    api_key_id: API_KEY_ID,
    user_id: null,
    group_id: null,
    key_label_set_id: null,
    group_label_set_id: null,
    endpoint: 'chat-completions',
    modality: 'chat',
    model_requested: 'vendor/model',
    model_used: 'vendor/model',
    provider_used: 'vendor',
    region: null,
    is_byok: false,
    is_free: false,
    origin_title: null,
    end_user_id: null,
    trace_id: null,
    extra: {},
    units: { ...NO_UNITS, in: 100, out: 20 },
    unit_source: 'provider',
    price_version: 'v1',
    cost_p: '27000000',
    billed_p: '27000000',
    reserve_p: '0',
    hold_id: null,
    hold_scopes: [],
    status: 'ok',
    http_status: 200,
    error_origin: null,
    guardrail: null,
    ...more,
  };
}

/** What a journal would send: the events in the writer's order, from a sequence on. */
export function sequenceEvents(writerId: string, events: readonly (UsageEvent | string)[], first = 0n): SequencedUsageEvent[] {
  return events.map((event, at) => ({
    writerId,
    epoch: 1,
    sequence: first + BigInt(at),
    payload: typeof event === 'string' ? event : JSON.stringify(event),
  }));
}
