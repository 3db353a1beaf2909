import { isDatabaseUnreachable, isUnstorableText } from '@weir/database';
import { GatewayError, toGatewayError } from '@weir/errors';

/** The error that callers get for anything thrown here: without its database this service can do nothing, which is temporary. */
export function toServiceError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (isUnstorableText(thrown)) {
    const message = 'The request holds a character that cannot be kept: NUL, or half of a surrogate pair. Send it without.';
    return new GatewayError('invalid_request', message, { cause: thrown });
  }
  if (!isDatabaseUnreachable(thrown)) return toGatewayError(thrown);
  return new GatewayError('dependency_down', 'The database cannot be reached at the moment. Send the request again shortly.', {
    cause: thrown,
    retryAfterSeconds: 1,
  });
}
