import { pickNameEntries } from '@weir/access';
import { MODALITIES, type Modality } from '@weir/contracts';
import { createPatternMatcher, type ModelCatalog } from '@weir/model-catalog';

type LetIn = { readonly models: Readonly<Record<Modality, readonly string[]>>; readonly names: readonly string[] };

/** What patterns let in as things stand, read as the guard of requests reads them: models, and the names that lead to some. */
export function listLetIn(
  patterns: Readonly<Record<Modality, readonly string[]>>,
  { catalog, names }: { readonly catalog: ModelCatalog; readonly names: readonly string[] },
): LetIn {
  const listIn = (modality: Modality): string[] => {
    const matches = createPatternMatcher(patterns[modality]);
    return catalog.list(modality).flatMap(({ id }) => (matches(id) ? [id] : []));
  };
  return {
    models: Object.fromEntries(MODALITIES.map((modality) => [modality, listIn(modality)])) as Record<Modality, string[]>,
    // Policies and aliases are for chat.
    names: names.filter(createPatternMatcher(pickNameEntries(patterns.chat))),
  };
}
