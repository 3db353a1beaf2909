import { isDatabaseUnreachable } from '@weir/database';
import { GatewayError, toGatewayError } from '@weir/errors';

/** What callers are told of anything thrown here: without its database this service can do nothing, and that passes. */
export function toServiceError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError || !isDatabaseUnreachable(thrown)) return toGatewayError(thrown);
  return new GatewayError('dependency_down', 'The database cannot be reached at the moment. Send the request again shortly.', {
    cause: thrown,
    retryAfterSeconds: 1,
  });
}
