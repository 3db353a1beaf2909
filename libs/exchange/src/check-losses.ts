import type { LossReport } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/** Throws when something was lost and the caller asked for a refusal then. */
export function checkLosses(losses: LossReport, isStrict: boolean): void {
  const lost = [...losses.dropped, ...losses.approximated];
  if (!isStrict || lost.length === 0) return;
  throw new GatewayError(
    'unsupported_field',
    `This model's provider cannot express exactly: ${lost.join(', ')}. Leave it out, or send the request without x-weir-strict.`,
    {
      field: lost[0] ?? '',
    },
  );
}
