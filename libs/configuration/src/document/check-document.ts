import { configurationDocument, validateBodyInTurns, type ConfigurationDocument } from '@weir/contracts';
import { explainDeploymentKind, findDeploymentKind, type DeploymentKind } from './deployment-kinds';
import type { Problem } from './problem';

/** How many problems one reply names. */
export const PROBLEMS_MAX = 50;

/** What belongs to the whole gateway, by the kind of document that it stands in. */
const OPERATORS: Readonly<Record<string, DeploymentKind>> = {
  catalog: 'Catalog',
  catalogue: 'Catalog',
  models: 'Catalog',
  prices: 'Catalog',
  providers: 'Catalog',
  provider_accounts: 'ProviderAccounts',
};

export type CheckedDocument =
  | { readonly document: ConfigurationDocument; readonly problems?: undefined }
  | { readonly document?: undefined; readonly problems: readonly Problem[] };

/**
 * The document that a value is, or everything that keeps it from being one. `takeTurn` lets others be served between two of its
 * objects, where there are others.
 */
export async function checkDocument(value: unknown, takeTurn: () => Promise<void> | undefined = () => undefined): Promise<CheckedDocument> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problems: [{ path: '', message: 'the document must be an object with `apiVersion`, `kind` and `metadata`' }] };
  const kind = findDeploymentKind(value);
  if (kind !== undefined) return { problems: [{ path: 'kind', message: explainDeploymentKind(kind) }] };
  const foreign = findForeignSections(value);
  const { data, problems: found } = await validateBodyInTurns(configurationDocument, value, takeTurn);
  if (found === undefined) return { document: data };
  const named = new Set(foreign.map(({ path }) => path));
  const problems = found
    .filter(({ field }) => !named.has(field))
    .map(({ field, problem, isUnknown }) => ({
      path: field,
      message: isUnknown ? 'there is no such field' : explainSecret(field, problem, value),
    }));
  return { problems: [...foreign, ...problems] };
}

function findForeignSections(document: object): Problem[] {
  return Object.keys(document).flatMap((section) => {
    const kind = OPERATORS[section];
    if (kind === undefined) return [];
    const message = `this is about the whole gateway, not about an organization: it stands in a document of the kind ${kind}, which its operator applies`;
    return [{ path: section, message }];
  });
}

/** Text in the place of a secret is most likely the secret. */
function explainSecret(field: string, problem: string, document: object): string {
  if (!/^provider_credentials\.\d+\.api_key$/.test(field) || typeof valueAt(document, field) !== 'string') return problem;
  return 'must be {env: NAME} or {file: PATH}: a secret does not stand in the document';
}

function valueAt(document: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined), document);
}

/** Problems as one text, one a line. */
export function describeProblems(problems: readonly Problem[]): string {
  const lines = problems.slice(0, PROBLEMS_MAX).map(({ path, message }) => (path === '' ? message : `\`${path}\`: ${message}`));
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
