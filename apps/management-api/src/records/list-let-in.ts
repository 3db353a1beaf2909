import { pickNameEntries } from '@weir/access';
import { MODALITIES, type Modality } from '@weir/contracts';
import { takeTurn } from '@weir/http-server';
import { createPatternMatcher, type ModelCatalog } from '@weir/model-catalog';

type LetIn = { readonly models: Readonly<Record<Modality, readonly string[]>>; readonly names: readonly string[] };

/**
 * What patterns let in as things stand, read as the guard of requests reads them: models, and the names that lead to some. Others
 * are served in between.
 */
export async function listLetIn(
  patterns: Readonly<Record<Modality, readonly string[]>>,
  { catalog, names }: { readonly catalog: ModelCatalog; readonly names: readonly string[] },
): Promise<LetIn> {
  const models = {} as Record<Modality, string[]>;
  for (const modality of MODALITIES) {
    const ids = catalog.list(modality).map(({ id }) => id);
    models[modality] = await filterInTurns(ids, createPatternMatcher(patterns[modality]));
  }
  // Policies and aliases are for chat.
  return { models, names: await filterInTurns(names, createPatternMatcher(pickNameEntries(patterns.chat))) };
}

async function filterInTurns(all: readonly string[], isKept: (one: string) => boolean): Promise<string[]> {
  const kept: string[] = [];
  for (const one of all) {
    await takeTurn();
    if (isKept(one)) kept.push(one);
  }
  return kept;
}
