import { formatUsd } from '@weir/pricing';
import { encodeGenerationCursor, type GenerationLine, type GenerationPage, type GenerationQuery } from '@weir/usage';
import { measureTimes } from './measure-times';

/** A page of the list; the first page, and the first of what is newer, say where to go on from later. */
export function describeGenerationPage(page: GenerationPage, { before, since }: GenerationQuery): object {
  const { next, counted } = page;
  return {
    generations: page.lines.map(describeLine),
    next_cursor: next === null ? null : encodeGenerationCursor({ before: next, ...(since === undefined ? {} : { since }) }),
    ...(before === undefined ? { newest_cursor: encodeGenerationCursor({ since: counted }) } : {}),
    is_partial: page.isPartial,
  };
}

function describeLine({ event, admittedAtMs, attempts, costPico, billedPico, apiKeyName }: GenerationLine): object {
  const { units } = event;
  return {
    id: event.request_id,
    object: 'generation',
    admitted_at: new Date(admittedAtMs).toISOString(),
    endpoint: event.endpoint,
    modality: event.modality,
    status: event.status,
    model_requested: event.model_requested,
    model: event.model_used,
    provider: event.provider_used,
    api_key_id: event.api_key_id,
    api_key_name: apiKeyName,
    group_id: event.group_id,
    user_id: event.user_id,
    end_user: event.end_user_id,
    stream: event.stream ?? null,
    attempts,
    ...measureTimes(event),
    tokens: { input: units.in, output: units.out, cached_input: units.cached_in, reasoning: units.reasoning },
    cost: formatUsd(costPico),
    billed: formatUsd(billedPico),
    guardrail: event.guardrail,
  };
}
