import { GatewayError } from '@weir/errors';

/** The request needs something that this provider has no way to say. */
export function unsupported(field: string, what: string): GatewayError {
  return new GatewayError('unsupported_field', `${what} is not supported by the chosen model's provider.`, { field });
}

export function unreadableReply(cause?: unknown): GatewayError {
  return new GatewayError(
    'provider_unreadable',
    'The provider sent a reply this gateway cannot read.',
    cause === undefined ? {} : { cause },
  );
}
