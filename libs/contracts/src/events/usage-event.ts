import { z } from 'zod';

export const USAGE_STATUSES = [
  'ok',
  'client_closed',
  'upstream_error',
  'upstream_cut',
  'timeout',
  'refused_midstream',
  'aborted_crash',
] as const;

const count = z.int().min(0);
/** Integer pico-dollars (1e-12 USD) as decimal text, so that JSON never rounds it. */
const pico = z.string().regex(/^\d+$/);

/** What one upstream attempt used, in disjoint buckets: `in` excludes cached reads and cache writes. Later units are ignored. */
const usageUnits = z.object({
  in: count,
  out: count,
  cached_in: count,
  cache_w5m: count,
  cache_w1h: count,
  /** Part of `out`. */
  reasoning: count,
  audio_in: count,
  audio_out: count,
  images: count,
  chars: count,
  ms_audio: count,
  searches: count,
  /** Parts of `searches` with a fee of their own, by how much they read; absent where there are none. */
  searches_medium: count.optional(),
  searches_high: count.optional(),
  /** Parts of `in` and of `out`; absent where the provider did not split them. */
  image_in: count.optional(),
  image_out: count.optional(),
});
export type UsageUnits = z.infer<typeof usageUnits>;

/**
 * What happened to one upstream attempt. Never holds prompt or output text. Written by workers to their journal,
 * carried by Kafka (key: writer_id), folded by the usage-aggregator. Additive changes only within version 1:
 * unknown fields are ignored by older readers.
 */
export const usageEvent = z.object({
  v: z.literal(1),
  /** Deterministic: `<request_id>:<attempt_no>`. */
  event_id: z.string(),
  request_id: z.string(),
  attempt_no: z.int().min(1),
  /** True on exactly one attempt of a request: the one that counts it. */
  logical: z.boolean(),
  admitted_at: z.int(),
  ended_at: z.int(),
  dur_ms: count,
  /** Milliseconds to the first byte; null when none came. */
  ttft_ms: count.nullable(),
  org_id: z.string(),
  api_key_id: z.string(),
  user_id: z.string().nullable(),
  group_id: z.string().nullable(),
  key_label_set_id: z.string().nullable(),
  group_label_set_id: z.string().nullable(),
  endpoint: z.string(),
  modality: z.enum(['chat', 'embedding', 'image', 'speech', 'transcription']),
  model_requested: z.string(),
  /** Whether the caller asked for a stream; absent in events of before it was kept. */
  stream: z.boolean().optional(),
  model_used: z.string(),
  provider_used: z.string(),
  region: z.string().nullable(),
  is_byok: z.boolean(),
  is_free: z.boolean(),
  origin_title: z.string().nullable(),
  end_user_id: z.string().nullable(),
  trace_id: z.string().nullable(),
  extra: z.record(z.string(), z.string()),
  units: usageUnits,
  unit_source: z.enum(['provider', 'tokenizer', 'estimate']),
  price_version: z.string(),
  /** What the usage is worth at our prices. */
  cost_p: pico,
  /** What the organization pays: `cost_p`, or 0 under its own provider key. */
  billed_p: pico,
  reserve_p: pico,
  hold_id: z.string().nullable(),
  hold_scopes: z.array(z.string()),
  /** Places in `hold_scopes` of limits that this attempt is not counted in: they are of other models or providers. Absent: none. */
  hold_uncounted: z.array(z.int().min(0)).optional(),
  status: z.enum(USAGE_STATUSES),
  http_status: z.int().nullable(),
  error_origin: z.enum(['router', 'provider']).nullable(),
  guardrail: z.enum(['passed', 'flagged', 'masked', 'not_scanned', 'scan_error']).nullable(),
  /** Why the attempt was in its request's plan; absent for a model that was named itself. */
  why: z.string().optional(),
  /** Of the error catalogue: why the attempt failed. */
  error_code: z.string().optional(),
  /** W3C `traceparent` of the attempt's span, where its trace is kept. */
  traceparent: z.string().optional(),
  /** The usage that the provider reported of a failed attempt, and what that would have cost. No one pays for it. */
  uncharged: z.object({ units: usageUnits, cost_p: pico }).optional(),
  /** What the provider reported, where that is not plausible; `units` is what stands in its place. No one pays for it. */
  doubted: usageUnits.optional(),
});
export type UsageEvent = z.infer<typeof usageEvent>;
export type UsageStatus = UsageEvent['status'];

const signedPico = z.string().regex(/^-?\d+$/);

/**
 * What an attempt costs more, or less, since its price was corrected: beside its event, which stays as it was. It counts in the
 * same hour and series and has no quantities of its own; `price_version` is the price that holds from here on. Corrections are
 * never journalled and never travel: `weir usage rerate` writes them where events are kept.
 */
export const usageCorrection = z.object({
  ...usageEvent.shape,
  /** Deterministic: `<event_id of what it corrects>:<rerate_id>`. */
  event_id: z.string(),
  cost_p: signedPico,
  billed_p: signedPico,
  corrects: z.object({
    event_id: z.string(),
    rerate_id: z.string(),
    /** 1 for the first correction of the event. */
    number: z.int().min(1),
    /** When it was made. */
    at: z.int(),
    /** Why, for people. */
    because: z.string(),
  }),
});
export type UsageCorrection = z.infer<typeof usageCorrection>;

/** A usage event with its place in its writer's gapless sequence: what travels on the bus. */
export type SequencedUsageEvent = {
  readonly writerId: string;
  readonly epoch: number;
  readonly sequence: bigint;
  /** The event as JSON text, exactly as journalled. The aggregator parses it and dead-letters what it cannot read. */
  readonly payload: string;
};
