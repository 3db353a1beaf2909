import type { KeyRecord } from '@weir/access';
import { REQUEST_PRIORITIES, type Passport, type RequestPriorityName } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { IncomingHttpHeaders } from 'node:http';

/** How the request takes turns with others where a provider limits all of them. */
type Claim = Pick<Passport, 'priority' | 'shares'>;
type Claiming = Pick<KeyRecord, 'priority' | 'share' | 'organization'>;

export const PRIORITY_HEADER = 'x-weir-priority';

/** One object for all requests of a key, so that passports are seen to have the same terms. */
const sharesOfKeys = new WeakMap<Claiming, NonNullable<Claim['shares']>>();

/**
 * What the passport says of it; undefined where nothing is unusual. Without a header a request has the priority of its key, which is
 * also the most that it may ask for.
 */
export function claimTurn(headers: IncomingHttpHeaders, key: Claiming): Claim | undefined {
  const asked = headers[PRIORITY_HEADER];
  const priority = asked === undefined ? key.priority : readPriority(asked, key);
  const shares = findShares(key);
  if ((priority === undefined || priority === 'normal') && shares === undefined) return undefined;
  return {
    ...(priority === undefined || priority === 'normal' ? {} : { priority }),
    ...(shares === undefined ? {} : { shares }),
  };
}

function readPriority(asked: string | string[], { priority: most = 'normal' }: Claiming): RequestPriorityName {
  const priority = REQUEST_PRIORITIES.find((name) => name === asked);
  if (priority === undefined) {
    throw new GatewayError('invalid_request', `The header ${PRIORITY_HEADER} must be one of ${REQUEST_PRIORITIES.join(', ')}.`, {
      field: PRIORITY_HEADER,
    });
  }
  if (REQUEST_PRIORITIES.indexOf(priority) > REQUEST_PRIORITIES.indexOf(most)) {
    throw new GatewayError(
      'permission_denied',
      `This API key may ask for the priority "${most}" at most, not for "${priority}". An administrator of the organization can raise it.`,
    );
  }
  return priority;
}

function findShares(key: Claiming): Claim['shares'] {
  const organization = key.organization.share ?? 1;
  const own = key.share ?? 1;
  if (organization === 1 && own === 1) return undefined;
  let shares = sharesOfKeys.get(key);
  if (shares === undefined) sharesOfKeys.set(key, (shares = { organization, key: own }));
  return shares;
}
