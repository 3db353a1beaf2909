import { CONFIGURATION_VERSION } from '@weir/contracts';

/** Kinds of documents about the whole gateway, which its operator applies. */
const DEPLOYMENT_KINDS = ['Catalog', 'ProviderAccounts'] as const;
export type DeploymentKind = (typeof DEPLOYMENT_KINDS)[number];

/** Which of these a document is; undefined for one of an organization, and for what is none. */
export function findDeploymentKind(document: unknown): DeploymentKind | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const { kind } = document as { readonly kind?: unknown };
  return DEPLOYMENT_KINDS.find((each) => each === kind);
}

export function explainDeploymentKind(kind: DeploymentKind): string {
  return `the kind ${kind} is about the whole gateway, not about an organization: its operator applies it with \`weir apply\``;
}

export type DeploymentDocument = { readonly name: string; readonly sections: Readonly<Record<string, unknown>> };

/** What stands below the head of a document of one of these kinds, or what is wrong with its head. */
export function readDeploymentDocument(document: Readonly<Record<string, unknown>>): DeploymentDocument | { readonly problem: string } {
  const { apiVersion, kind: _, metadata, ...sections } = document;
  if (apiVersion !== CONFIGURATION_VERSION) return { problem: `apiVersion must be "${CONFIGURATION_VERSION}"` };
  const name = typeof metadata === 'object' && metadata !== null ? (metadata as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' && name !== '' ? { name, sections } : { problem: 'metadata.name must be a text' };
}
