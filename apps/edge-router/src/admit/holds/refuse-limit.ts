import { GatewayError } from '@weir/errors';
import { parseScope, type PlannedLimit } from '@weir/limits';
import { formatUsd } from '@weir/pricing';

const SUBJECTS = {
  key: 'this API key',
  group_member: 'this member of the group',
  group: 'the group of this API key',
} as const;

type Refused = { readonly limit: PlannedLimit; readonly remainingPico: bigint; readonly worstPico: bigint };

/** The refusal of a request that does not fit what is left: it names the limit, and what the request could have cost. */
export function refuseLimit({ limit, remainingPico, worstPico }: Refused): GatewayError {
  const about = `${formatUsd(remainingPico)} USD is left and the request may cost up to ${formatUsd(worstPico)} USD`;
  const kind = parseScope(limit.scope)?.kind ?? limit.kind;
  if (kind === 'balance') {
    return new GatewayError('balance_exhausted', `The balance of the organization does not cover this request: ${about}. Top up to go on.`);
  }
  return new GatewayError(
    'monthly_limit_reached',
    `The monthly limit of ${SUBJECTS[kind]} (${formatUsd(limit.limitPico)} USD) does not cover this request: ${about}. The limit starts anew on the first of the next month, UTC.`,
  );
}
