import { isDatabaseUnreachable } from '@weir/database';
import { GatewayError, toGatewayError } from '@weir/errors';

/** The error that callers get for anything thrown here: without its database this service can do nothing, which is temporary. */
export function toServiceError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError || !isDatabaseUnreachable(thrown)) return toGatewayError(thrown);
  return new GatewayError('dependency_down', 'The database cannot be reached at the moment. Send the request again shortly.', {
    cause: thrown,
    retryAfterSeconds: 1,
  });
}
