import type { EndpointRow, Passport } from '@weir/contracts';
import type { ParsedBody, ReceivedForm, RequestPriority } from '@weir/http-server';
import type { FreeModelDays, FreeSlot } from '@weir/limits';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AdmittedRequest } from '../forward/forward-in-process';
import type { InboundRequest } from '../request/inbound-request';
import type { HeldRequest, RequestHolds } from './holds/request-holds';

type ReleaseParts = { readonly holds: Pick<RequestHolds, 'giveBack'>; readonly freeModelDays: Pick<FreeModelDays, 'giveBack'> };

export type AdmittedParts = {
  readonly passport: Passport;
  readonly body: Buffer;
  readonly parsed: ParsedBody;
  /** What the caller sent instead of JSON. */
  readonly form: ReceivedForm | undefined;
  readonly priority: RequestPriority;
};

/**
 * One request at the edge, from its passport on: on its way to a worker it owns the money and the slot that were taken for it,
 * and gives them back in one place.
 */
export class Admission implements AdmittedRequest {
  readonly endpoint: EndpointRow;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly notes: AdmittedRequest['notes'];
  readonly priority: RequestPriority;
  readonly passport: Passport;
  readonly isCrowded?: NonNullable<AdmittedRequest['isCrowded']>;
  body: Buffer;
  parsed?: ParsedBody | undefined;
  readonly form?: ReceivedForm;
  /** Taken of the free-model day. */
  freeSlot: FreeSlot | undefined;

  constructor(
    { request, response, scope }: InboundRequest,
    { passport, body, parsed, form, priority }: AdmittedParts,
    private readonly parts: ReleaseParts,
  ) {
    this.endpoint = scope.endpoint;
    this.headers = request.headers;
    this.response = response;
    this.notes = scope.notes;
    this.priority = priority;
    this.passport = passport;
    if (scope.isCrowded !== undefined) this.isCrowded = scope.isCrowded;
    this.body = body;
    // Of a form, the worker reads the fields itself.
    if (form === undefined) this.parsed = parsed;
    else this.form = form;
  }

  /** What it needs of its limits was set aside for it; the body may have had to be given a lower limit to fit. */
  keepHold({ hold, clampedBody }: HeldRequest): void {
    this.passport.hold = hold;
    // A worker that does not know them would count money alone.
    if (hold.amounts !== undefined) this.passport.needs = withLimits(this.passport.needs);
    if (clampedBody === null) return;
    this.body = Buffer.from(clampedBody.text);
    this.parsed = clampedBody;
  }

  /** A slot is taken for it; where it is refused, what was taken before is given back. */
  async keepSlot(taking: Promise<FreeSlot>): Promise<void> {
    try {
      this.freeSlot = await taking;
    } catch (error) {
      await this.giveBack();
      throw error;
    }
  }

  /** A request that no worker has begun, and that none will begin. What cannot be given back now is given back by its expiry. */
  async giveBack(): Promise<void> {
    const { freeSlot } = this;
    const { hold, caller } = this.passport;
    if (freeSlot !== undefined) await this.parts.freeModelDays.giveBack(freeSlot).catch(() => undefined);
    if (hold !== null) await this.parts.holds.giveBack(caller.organizationId, hold).catch(() => undefined);
  }
}

const NO_NEEDS: readonly string[] = [];
/** One list for the same needs: passports that say the same are written once. */
const needsWithLimits = new WeakMap<readonly string[], string[]>();

function withLimits(needs: readonly string[] = NO_NEEDS): string[] {
  let known = needsWithLimits.get(needs);
  if (known === undefined) needsWithLimits.set(needs, (known = [...needs, 'limits']));
  return known;
}
