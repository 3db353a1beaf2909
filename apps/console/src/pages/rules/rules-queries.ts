import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';

export type Policy = Schemas['Policy'];
export type Alias = Schemas['Alias'];
export type Guardrail = Schemas['Guardrail'];
export type Modality = 'chat' | 'embedding' | 'image' | 'speech' | 'transcription';

export const policiesQuery = queryOptions({
  queryKey: ['policies', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/policy', { signal }))).policies,
});

export const aliasesQuery = queryOptions({
  queryKey: ['aliases', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/alias', { signal }))).aliases,
});

export const guardrailsQuery = queryOptions({
  queryKey: ['guardrails', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/guardrail', { signal }))).guardrails,
});

const modelsQuery = queryOptions({
  queryKey: ['models', 'list'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/models/all', { signal }))) as { readonly data: readonly Schemas['Model'][] },
});

/** Ids that can be called here, aliases and policies too; of one modality where it is given. */
export function useModelNames(modality?: Modality): readonly string[] {
  const { data } = useQuery(modelsQuery).data ?? { data: [] };
  return data.filter((model) => modality === undefined || model.api === modality).map(({ id }) => id);
}
