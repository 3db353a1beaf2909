import { pickNameEntries } from '@weir/access';
import { MODALITIES, type Modality } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { takeTurn } from '@weir/http-server';
import {
  askWhichMeant,
  createPatternMatcher,
  readManagedPolicies,
  suggestNames,
  type ModelCatalog,
  type ModelRecord,
} from '@weir/model-catalog';

const POLICY_PREFIX = 'policy/';

type EntryWarning = { readonly modality: Modality; readonly entry: string; readonly message: string };

/** What entries of access lists may name beside models: the policies, the built-in ones too, and the aliases. */
export async function listNames(tx: Prisma.TransactionClient, organizationId: string): Promise<string[]> {
  const rules = await tx.organizationRule.findMany({ where: { organizationId, kind: { in: ['policy', 'alias'] } } });
  const own = rules.map(({ kind, name }) => (kind === 'policy' ? `${POLICY_PREFIX}${name}` : name));
  return [...new Set([...own, ...readManagedPolicies().map(({ name }) => `${POLICY_PREFIX}${name}`)])];
}

/** As a member of a response, which is absent when there are no warnings. */
export function describeWarnings(warnings: readonly EntryWarning[]): { readonly warnings?: readonly EntryWarning[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** Entries that let nothing in as things stand, each with the reason. There may be thousands: others are served in between. */
export async function findEmptyEntries(
  patterns: Partial<Record<Modality, readonly string[] | undefined>>,
  { catalog, names }: { readonly catalog: ModelCatalog; readonly names: readonly string[] },
): Promise<EntryWarning[]> {
  const known: Known = { catalog, names: new Set(names), suggestionsLeft: SUGGESTED_ENTRIES_MAX };
  const warnings: EntryWarning[] = [];
  for (const modality of MODALITIES) {
    for (const entry of new Set(patterns[modality])) {
      await takeTurn();
      const why = explainEmpty(entry, modality, known);
      if (why !== undefined) warnings.push({ modality, entry, message: `"${entry}" lets nothing in: ${why}` });
    }
  }
  return warnings;
}

/** Looking for near names takes long; a list may have thousands of entries. */
const SUGGESTED_ENTRIES_MAX = 20;

type Known = { readonly catalog: ModelCatalog; readonly names: ReadonlySet<string>; suggestionsLeft: number };

function explainEmpty(entry: string, modality: Modality, known: Known): string | undefined {
  const { catalog, names } = known;
  const matches = createPatternMatcher([entry]);
  const isMatch = ({ id }: ModelRecord): boolean => matches(id);
  const exact = catalog.find(entry);
  const listOf = (one: Modality): readonly ModelRecord[] =>
    entry.includes('*') ? catalog.list(one) : exact?.modality === one ? [exact] : [];
  if (listOf(modality).some(isMatch)) return undefined;
  const isName = entry.includes('*') ? [...names].some(createPatternMatcher(pickNameEntries([entry]))) : names.has(entry);
  if (isName) return modality === 'chat' ? undefined : 'policies and aliases are for chat.';
  const elsewhere = MODALITIES.filter((other) => listOf(other).some(isMatch));
  if (elsewhere.length > 0) return `what it names is for ${elsewhere.join(', ')}, and this is the list for ${modality}.`;
  if (entry.includes('*')) return 'no model and no policy fits it today.';
  return explainUnknown(entry, modality, known);
}

function explainUnknown(entry: string, modality: Modality, known: Known): string {
  const { catalog, names } = known;
  const record = catalog.find(entry);
  if (record !== undefined) return `lists have the id of this model without a region. Write "${record.id}".`;
  const bare = catalog.findBare(entry).exact.filter((each) => each.modality === modality);
  if (bare.length > 0) {
    const shown = bare.slice(0, 3).map(({ id }) => `"${id}"`);
    return `lists name models by their full ids. Write ${shown.join(', ')} or "*/${entry}".`;
  }
  known.suggestionsLeft -= 1;
  if (known.suggestionsLeft < 0) return 'there is no such model, policy or alias.';
  const candidates = [...catalog.list(modality).map(({ id }) => id), ...(modality === 'chat' ? names : [])];
  return `there is no such model, policy or alias.${askWhichMeant(suggestNames(entry, candidates, () => true))}`;
}
