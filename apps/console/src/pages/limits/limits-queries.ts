import { queryOptions } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import { readPages } from '../administration/read-pages';

export type Limit = Schemas['Limit'];
export type Scope = Limit['scope'];
export type Measure = Limit['measure'];
export type Window = NonNullable<Limit['window']>;
export type Action = Limit['action'];
export type Modality = NonNullable<Limit['modalities']>[number];
export type LimitFill = NonNullable<Limit['usage']>[number];
export type LimitPreview = Schemas['LimitPreview'];
export type BindingLimit = Schemas['BindingLimits']['limits'][number];

/** All limits, and how full each of them is. */
export const limitsQuery = queryOptions({
  queryKey: ['limits', 'all'],
  queryFn: ({ signal }) =>
    readPages(async (page) => {
      const query = { ...page, usage: 'true' as const };
      const { limits, next } = await unwrap(api.GET('/v1/manage/limit', { params: { query }, signal }));
      return { rows: limits, next };
    }),
});

/** What binds the requests of a key now, by the process that admits them. */
export function bindingLimitsQuery(keyId: string) {
  return queryOptions({
    queryKey: ['limits', 'binding', keyId],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/limits', { params: { query: { api_key_id: keyId } }, signal })),
  });
}
