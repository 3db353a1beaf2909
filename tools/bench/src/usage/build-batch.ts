import { randomUUID } from 'node:crypto';
import type { SequencedUsageEvent } from '@weir/contracts';
import { monthlyScope } from '@weir/limits';

const ORGANIZATIONS = Array.from({ length: 20 }, () => randomUUID());
const KEYS = ORGANIZATIONS.map(() => [randomUUID(), randomUUID(), randomUUID()]);

const PAYLOADS = 2_000;

/** Payloads of twenty organizations and some hundred series. Made once: what is measured is who reads them. */
export function buildPayloads(): string[] {
  return Array.from({ length: PAYLOADS }, (_, at) => buildPayload(at, Date.now()));
}

/** One event that ended at `now`; every other one was paid out of a hold. */
export function buildPayload(at: number, now: number): string {
  return JSON.stringify(buildEvent(at, now));
}

/** The next events of a writer, as its journal would send them. */
export function buildBatch(
  payloads: readonly string[],
  { writerId, first, count }: { writerId: string; first: number; count: number },
): SequencedUsageEvent[] {
  return Array.from({ length: count }, (_, at) => ({
    writerId,
    epoch: 1,
    sequence: BigInt(first + at),
    payload: payloads[(first + at) % payloads.length] ?? '',
  }));
}

function buildEvent(at: number, now: number): object {
  const organization = at % ORGANIZATIONS.length;
  const apiKeyId = KEYS[organization]?.[at % 3] ?? randomUUID();
  const requestId = randomUUID();
  const isHeld = at % 2 === 1;
  return {
    ...{
      v: 1,
      event_id: `${requestId}:1`,
      request_id: requestId,
      attempt_no: 1,
      logical: true,
      admitted_at: now - 900,
      ended_at: now,
    },
    ...{ dur_ms: 900, ttft_ms: 120, org_id: ORGANIZATIONS[organization], api_key_id: apiKeyId, user_id: null },
    ...{ group_id: null, key_label_set_id: null, group_label_set_id: null, endpoint: 'chat-completions', modality: 'chat' },
    ...{ model_requested: 'vendor/model', model_used: `vendor/model-${at % 4}`, provider_used: 'vendor', region: null, is_byok: false },
    ...{ is_free: false, origin_title: null, end_user_id: null, trace_id: null, extra: at % 2 === 0 ? {} : { team: `team-${at % 7}` } },
    units: {
      ...{ in: 100 + (at % 900), out: 20 + (at % 300), cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0 },
      ...{ audio_in: 0, audio_out: 0, images: 0, chars: 0, ms_audio: 0, searches: 0 },
    },
    ...{ unit_source: 'provider', price_version: '2026-11-01', cost_p: String(27_000_000 + at), billed_p: String(27_000_000 + at) },
    reserve_p: isHeld ? '900000000' : '0',
    hold_id: isHeld ? requestId : null,
    hold_scopes: isHeld ? [monthlyScope('key', apiKeyId, now)] : [],
    ...{ status: 'ok', http_status: 200, error_origin: null, guardrail: null },
  };
}
