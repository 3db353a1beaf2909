import { queryOptions } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';

type Limit = Schemas['Limit'];

/** All of them: an organization has few. */
export const limitsQuery = queryOptions({
  queryKey: ['limits', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/limit', { signal }))).limits,
});

/** What a limit counts in. */
export function unitOfLimit(limit: Pick<Limit, 'measure'> | undefined): string {
  if (limit === undefined) return 'its unit';
  if (limit.measure === 'usd') return 'USD';
  return limit.measure === 'requests' ? 'requests' : 'tokens';
}
