import { GatewayError } from '@weir/errors';

/** Names of fields that were lost, or changed in their meaning. */
export type Lost = { readonly dropped: ReadonlySet<string>; readonly approximated: ReadonlySet<string> };

/** Throws when something was lost and the caller asked for a refusal then. */
export function checkLosses({ dropped, approximated }: Lost, isStrict: boolean): void {
  if (!isStrict || dropped.size + approximated.size === 0) return;
  const lost = [...dropped, ...approximated];
  throw new GatewayError(
    'unsupported_field',
    `This model's provider cannot express exactly: ${lost.join(', ')}. Leave it out, or send the request without x-weir-strict.`,
    {
      field: lost[0] ?? '',
    },
  );
}
