import { GatewayError } from '@weir/errors';

/** What a question about usage is refused with that would take too long, or have too many rows. */
export function tooLarge(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The result is too large: ask for a shorter range, a coarser `resolution` or less in `group_by`.',
    {
      field: 'group_by',
    },
  );
}
