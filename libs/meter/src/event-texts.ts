import { getEndpoint, type Attempt, type Passport, type PassportHold, type PriceSheet, type UsageEvent } from '@weir/contracts';
import type { Outcome } from './encode-outcome';

type Facts = Omit<UsageEvent, keyof Outcome>;
type CallerFacts = Pick<Facts, 'org_id' | 'api_key_id' | 'user_id' | 'group_id' | 'key_label_set_id' | 'group_label_set_id'>;
type AttemptFacts = Pick<Facts, 'model_used' | 'provider_used' | 'region' | 'is_byok' | 'is_free' | 'price_version' | 'why'>;

type CallText = Pick<Passport, 'caller' | 'endpointId' | 'modelRequested' | 'stream'> & { readonly text: string };
type AttemptTexts = { readonly facts: string; readonly prices: string; latest: CallText | undefined };

/**
 * Writes what is known of an event before anything came back. Callers, attempts and price sheets are the same objects from
 * one request to the next, so what they say is encoded once and kept with them.
 */
export class EventTexts {
  private readonly callers = new WeakMap<Passport['caller'], string>();
  private readonly attempts = new WeakMap<Attempt, AttemptTexts>();
  private readonly sheets = new WeakMap<PriceSheet, string>();
  private readonly endpoints = new Map<string, string>();

  /** The beginning of the event's JSON, with all that does not change any more: what comes after it closes the object. */
  encodeFacts(passport: Passport, attempt: Attempt, attemptNo: number): string {
    const { requestId, caller, hold } = passport;
    const id = JSON.stringify(requestId);
    const head = `{"v":1,"event_id":${id.slice(0, -1)}:${attemptNo}","request_id":${id},"attempt_no":${attemptNo}`;
    const held = hold === null ? NO_HOLD : encodeHold(hold, attemptNo - 1);
    return `${head},"admitted_at":${passport.admittedAtMs},${this.ofCall(passport, attempt, caller)},${encodeFree(passport)},${held}`;
  }

  /** What a caller asks of a model again and again: the attempts of a prepared call are the same objects each time. */
  private ofCall({ endpointId, modelRequested, stream }: Passport, attempt: Attempt, caller: Passport['caller']): string {
    const texts = this.ofAttempt(attempt);
    const { latest } = texts;
    const isSame =
      latest?.caller === caller && latest.endpointId === endpointId && latest.modelRequested === modelRequested && latest.stream === stream;
    if (isSame) return latest.text;
    const asked = `"model_requested":${JSON.stringify(modelRequested)},"stream":${stream}`;
    const who = this.callers.get(caller) ?? this.ofCaller(caller);
    const text = `${who},${this.ofEndpoint(endpointId)},${asked},${texts.facts}`;
    texts.latest = { caller, endpointId, modelRequested, stream, text };
    return text;
  }

  encodePrices(attempt: Attempt): string {
    return this.ofAttempt(attempt).prices;
  }

  private ofCaller(caller: Passport['caller']): string {
    const facts: CallerFacts = {
      org_id: caller.organizationId,
      api_key_id: caller.apiKeyId,
      user_id: caller.userId,
      group_id: caller.groupId,
      key_label_set_id: caller.apiKeyLabelSetId,
      group_label_set_id: caller.groupLabelSetId,
    };
    const text = encodeMembers(facts);
    this.callers.set(caller, text);
    return text;
  }

  private ofAttempt(attempt: Attempt): AttemptTexts {
    const known = this.attempts.get(attempt);
    if (known !== undefined) return known;
    const facts: AttemptFacts = {
      model_used: attempt.modelId,
      provider_used: attempt.providerId,
      region: attempt.region,
      is_byok: attempt.isByok,
      is_free: attempt.isFree,
      price_version: attempt.prices.version,
    };
    if (attempt.why !== undefined) facts.why = attempt.why;
    const texts = { facts: encodeMembers(facts), prices: this.ofSheet(attempt.prices), latest: undefined };
    this.attempts.set(attempt, texts);
    return texts;
  }

  private ofSheet(sheet: PriceSheet): string {
    const text = this.sheets.get(sheet) ?? JSON.stringify(sheet);
    this.sheets.set(sheet, text);
    return text;
  }

  private ofEndpoint(endpoint: string): string {
    const known = this.endpoints.get(endpoint);
    if (known !== undefined) return known;
    const text = encodeMembers({ endpoint, modality: getEndpoint(endpoint).modality ?? 'chat' });
    this.endpoints.set(endpoint, text);
    return text;
  }
}

const NO_HOLD = '"reserve_p":"0","hold_id":null,"hold_scopes":[]';

function encodeHold({ id, reservedPico, scopes, uncounted }: PassportHold, index: number): string {
  const held = `"reserve_p":${JSON.stringify(reservedPico)},"hold_id":${JSON.stringify(id)},"hold_scopes":${JSON.stringify(scopes)}`;
  const places = uncounted?.[index];
  return places === undefined || places.length === 0 ? held : `${held},"hold_uncounted":${JSON.stringify(places)}`;
}

/** The members of an object's JSON, without its braces. */
function encodeMembers(members: object): string {
  return JSON.stringify(members).slice(1, -1);
}

const NOTHING_SAID = '"origin_title":null,"end_user_id":null,"trace_id":null,"extra":{}';

/** What callers say of their requests: most say nothing. */
function encodeFree({ originTitle, endUserId, traceId, extra }: Passport): string {
  const more = JSON.stringify(extra);
  if (originTitle === null && endUserId === null && traceId === null && more === '{}') return NOTHING_SAID;
  return `"origin_title":${encodeText(originTitle)},"end_user_id":${encodeText(endUserId)},"trace_id":${encodeText(traceId)},"extra":${more}`;
}

function encodeText(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}
