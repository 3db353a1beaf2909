import {
  findDeploymentKind,
  mergeDocuments,
  readDeploymentDocument,
  type DeploymentDocument,
  type NamedDocument,
} from '@weir/configuration';
import { listConfigurationDocuments, readConfigurationTexts, UnreadableFiles } from '@weir/management-api';
import type { CatalogDocument } from '@weir/model-catalog';
import { checkChanges } from '../catalog/read-changes';
import { UsageError, type CommandTools } from '../command';
import { resolveDocuments, type ReadOptions } from './resolve-documents';

/** What files say: of an organization, of the catalogue, and of the gateway's own accounts at providers. */
export type Documents = {
  readonly configuration: Readonly<Record<string, unknown>> | undefined;
  readonly catalog: { readonly name: string; readonly changes: CatalogDocument } | undefined;
  readonly accounts: { readonly place: string; readonly accounts: unknown } | undefined;
};

export async function readDocuments(
  paths: readonly string[],
  tools: Pick<CommandTools, 'variable'>,
  options: ReadOptions,
): Promise<Documents> {
  const documents = list(paths);
  const ofKind = (kind: string | undefined): NamedDocument[] => documents.filter(({ value }) => findDeploymentKind(value) === kind);
  const [organization, catalog, accounts] = [ofKind(undefined), ofKind('Catalog'), ofKind('ProviderAccounts')];
  return {
    configuration: organization.length === 0 ? undefined : await resolveDocuments(organization, tools, options),
    catalog: catalog.length === 0 ? undefined : readCatalog(catalog),
    accounts: accounts.length === 0 ? undefined : readAccounts(accounts),
  };
}

function list(paths: readonly string[]): NamedDocument[] {
  try {
    return listConfigurationDocuments(readConfigurationTexts(paths));
  } catch (error) {
    if (error instanceof UnreadableFiles) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function readCatalog(documents: readonly NamedDocument[]): Documents['catalog'] {
  const { name, place, sections } = join(documents);
  const changes = checkChanges(sections, place);
  const ids = [...changes.models, ...changes.providers].map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new UsageError(`${place}: ${repeated} stands there twice.`);
  return { name, changes };
}

function readAccounts(documents: readonly NamedDocument[]): Documents['accounts'] {
  const { place, sections } = join(documents);
  const { accounts, ...others } = sections;
  const [foreign] = Object.keys(others);
  if (foreign !== undefined) throw new UsageError(`${place}: ${foreign}: there is no such field.`);
  return { place, accounts };
}

/** Documents of one kind as one, and what stands in it below its head. */
function join(documents: readonly NamedDocument[]): DeploymentDocument & { readonly place: string } {
  const place = documents.map(({ source }) => source).join(', ');
  const { value, problems } = mergeDocuments(documents);
  if (problems.length > 0) throw new UsageError(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  const read = readDeploymentDocument(value);
  if ('problem' in read) throw new UsageError(`${place}: ${read.problem}.`);
  return { ...read, place };
}
