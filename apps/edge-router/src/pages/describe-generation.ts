import type { PriceSheet, UsageEvent } from '@weir/contracts';
import { formatUsd, itemizeUsage } from '@weir/pricing';
import { gatherCorrections, isCorrection, readCurrentPrice, type GenerationNames, type PricedEvent } from '@weir/usage';
import { measureTimes } from './measure-times';

/** What is known of a request beside its events. */
export type GenerationContext = {
  readonly names: GenerationNames;
  /** The prices that an attempt was charged by; undefined where they are in the catalogue no more. */
  findPrices(event: Pick<UsageEvent, 'model_used' | 'price_version'>): PriceSheet | undefined;
};

/**
 * What became of a request, attempt by attempt: never its content. Costs are exact decimal text; `cost` is what the usage
 * is worth, `billed` what the organization pays for it, both as they are by now: a price that was wrong may have been
 * corrected since.
 */
export function describeGeneration(events: readonly [UsageEvent, ...UsageEvent[]], context: GenerationContext): object {
  const [first] = events;
  const last = events.find(({ logical }) => logical) ?? first;
  const corrections = events.filter(isCorrection);
  const attempts = events.filter((event) => !isCorrection(event));
  return {
    id: first.request_id,
    object: 'generation',
    endpoint: first.endpoint,
    modality: first.modality,
    stream: first.stream ?? null,
    admitted_at: new Date(first.admitted_at).toISOString(),
    ended_at: new Date(last.ended_at).toISOString(),
    ...measureTimes(last),
    ...describeCaller(first, context.names),
    model_requested: first.model_requested,
    model: last.model_used,
    provider: last.provider_used,
    status: last.status,
    cost: addUp(events.map(({ cost_p: cost }) => cost)),
    billed: addUp(events.map(({ billed_p: billed }) => billed)),
    corrected_from: corrections.length === 0 ? null : addUpFirst(attempts),
    guardrail: last.guardrail,
    limits:
      first.hold_id === null ? null : { hold_id: first.hold_id, reserved: formatUsd(BigInt(first.reserve_p)), scopes: first.hold_scopes },
    attempts: attempts.map((event, index) => describeAttempt(gatherCorrections(event, corrections), index, context)),
  };
}

function describeCaller(event: UsageEvent, names: GenerationNames): object {
  return {
    api_key_id: event.api_key_id,
    api_key_name: names.apiKey,
    user_id: event.user_id,
    user_email: names.memberEmail,
    group_id: event.group_id,
    group_name: names.group,
    labels: { key: names.keyLabels, group: names.groupLabels },
    end_user: event.end_user_id,
    origin_title: event.origin_title,
    extra: event.extra,
    trace_id: event.trace_id,
  };
}

/** What was charged at first. */
function addUpFirst(attempts: readonly UsageEvent[]): object {
  return { cost: addUp(attempts.map(({ cost_p: cost }) => cost)), billed: addUp(attempts.map(({ billed_p: billed }) => billed)) };
}

function describeAttempt(priced: PricedEvent, index: number, context: GenerationContext): object {
  const { event, corrections } = priced;
  const { uncharged, doubted } = event;
  return {
    number: index + 1,
    model: event.model_used,
    provider: event.provider_used,
    region: event.region,
    own_key: event.is_byok,
    why_chosen: event.why ?? 'requested',
    why_left: event.status === 'ok' ? null : (event.error_code ?? event.status),
    status: event.status,
    provider_status: event.http_status,
    error_origin: event.error_origin,
    // How long an attempt ran that a crash cut short died with its process.
    started_at: event.status === 'aborted_crash' ? null : new Date(event.ended_at - event.dur_ms).toISOString(),
    ended_at: new Date(event.ended_at).toISOString(),
    milliseconds: event.dur_ms,
    first_byte_milliseconds: event.ttft_ms,
    tokens: describeUnits(event.units),
    tokens_source: event.unit_source,
    price_version: readCurrentPrice(priced).priceVersion,
    cost: addUp([event, ...corrections].map(({ cost_p: cost }) => cost)),
    billed: addUp([event, ...corrections].map(({ billed_p: billed }) => billed)),
    corrected: describeCorrections(priced),
    guardrail: event.guardrail,
    uncharged: uncharged === undefined ? null : { tokens: describeUnits(uncharged.units), cost: formatUsd(BigInt(uncharged.cost_p)) },
    doubted: doubted === undefined ? null : { tokens: describeUnits(doubted) },
    ...describePrices(priced, context),
  };
}

/** What was charged at first, and each time that the price was corrected since; null where it never was. */
function describeCorrections({ event, corrections }: PricedEvent): object | null {
  if (corrections.length === 0) return null;
  return {
    from: { price_version: event.price_version, cost: formatUsd(BigInt(event.cost_p)), billed: formatUsd(BigInt(event.billed_p)) },
    by: corrections.map(({ corrects, price_version: version, cost_p: cost, billed_p: billed }) => ({
      rerate_id: corrects.rerate_id,
      at: new Date(corrects.at).toISOString(),
      because: corrects.because,
      price_version: version,
      cost_difference: formatUsd(BigInt(cost)),
      billed_difference: formatUsd(BigInt(billed)),
    })),
  };
}

function describePrices(priced: PricedEvent, { findPrices }: GenerationContext): object {
  const { event } = priced;
  const { costPico, priceVersion } = readCurrentPrice(priced);
  const sheet = findPrices({ model_used: event.model_used, price_version: priceVersion });
  const lines = sheet === undefined ? null : itemizeUsage(sheet, event.units, costPico);
  const reason = sheet === undefined ? 'prices_unknown' : 'not_itemized';
  return { price_lines: lines, price_lines_missing: lines === null ? reason : null };
}

function describeUnits(units: UsageEvent['units']): object {
  return {
    input: units.in,
    output: units.out,
    cached_input: units.cached_in,
    cache_write: units.cache_w5m + units.cache_w1h,
    reasoning: units.reasoning,
    audio_input: units.audio_in,
    audio_output: units.audio_out,
    image_input: units.image_in ?? 0,
    image_output: units.image_out ?? 0,
    images: units.images,
    characters: units.chars,
    audio_milliseconds: units.ms_audio,
    searches: units.searches,
  };
}

function addUp(picos: readonly string[]): string {
  return formatUsd(picos.reduce((sum, pico) => sum + BigInt(pico), 0n));
}
