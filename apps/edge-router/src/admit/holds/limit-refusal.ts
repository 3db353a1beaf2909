import { GatewayError, type RefusingLimit, type ErrorCode } from '@weir/errors';
import type { PlannedLimit } from '@weir/limits';

type LimitRefusalDetails = { readonly limit: RefusingLimit; readonly retryAfterSeconds?: number };

type Refused = { readonly limit: PlannedLimit; readonly remaining: bigint };

/** The refusal of a request that does not fit a limit, with the limit as it was planned: it may name a fallback. */
export class LimitRefusal extends GatewayError {
  constructor(
    code: ErrorCode,
    message: string,
    details: LimitRefusalDetails,
    readonly refused: Refused,
  ) {
    super(code, message, details);
    this.name = 'LimitRefusal';
  }
}
