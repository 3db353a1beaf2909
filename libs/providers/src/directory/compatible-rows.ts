import { NATIVE_PROVIDERS } from '../native';
import { compatibleProvider, compatibleProviders, type CompatibleProvider } from '../openai-compatible/rules/compatible-provider.schema';
import entries from '../openai-compatible/rules/compatible-providers.json';

/** The rows of providers that speak chat completions, as they are now. */
export type CompatibleRows = {
  list(): readonly CompatibleProvider[];
  /** Another object whenever the rows are others. */
  version(): object;
  /** Puts an installation's own rows beside those of the release, and in the place of those of the same ids. Throws, and changes nothing, where one is none. */
  take(own: readonly unknown[]): void;
};

const SANDBOX = 'sandbox';

/** Those of the release, until others are taken. */
export function createCompatibleRows(): CompatibleRows {
  const shipped = compatibleProviders.parse(entries);
  let rows: readonly CompatibleProvider[] = shipped;
  let version = {};
  let taken = '[]';
  return {
    list: () => rows,
    version: () => version,
    take: (own) => {
      const text = JSON.stringify(own);
      // The same rows again make no new providers.
      if (text === taken) return;
      const read = readProviderRows(own);
      rows = [...new Map([...shipped, ...read].map((row) => [row.id, row])).values()];
      version = {};
      taken = text;
    },
  };
}

/** Throws one error that says what is wrong with rows of providers. */
export function checkProviderRows(own: readonly unknown[]): void {
  readProviderRows(own);
}

function readProviderRows(own: readonly unknown[]): readonly CompatibleProvider[] {
  const problems: string[] = [];
  const native = new Set([SANDBOX, ...NATIVE_PROVIDERS.map(({ id }) => id)]);
  const rows = own.flatMap((row, index) => {
    const parsed = compatibleProvider.safeParse(row);
    const where = `provider ${index + 1} (${nameOf(row)})`;
    if (!parsed.success) {
      for (const issue of parsed.error.issues) problems.push(`${where}: ${issue.path.join('.') || 'row'}: ${issue.message}`);
      return [];
    }
    if (native.has(parsed.data.id)) problems.push(`${where}: this provider has an interface of its own; it is no row`);
    return [parsed.data];
  });
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) problems.push('two providers have the same id');
  if (problems.length > 0) throw new Error(`The rows of providers have ${problems.length} problem(s):\n- ${problems.join('\n- ')}`);
  return rows;
}

function nameOf(row: unknown): string {
  return typeof row === 'object' && row !== null && 'id' in row ? String(row.id).slice(0, 64) : 'no id';
}
