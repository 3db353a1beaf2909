import { appendCatalogVersion } from '@weir/database';
import { describeDiff, isEmptyDiff, planVersion, type CatalogDiff, type CatalogDocument, type LiveCatalog } from '@weir/model-catalog';
import { checkProviderRows } from '@weir/providers';
import type { CommandOption, OpenDeployment } from '../command';

export const YES: CommandOption = { name: 'yes', meaning: 'makes the change; without it, it is only shown' };
export const NOTE: CommandOption = { name: 'note', value: 'TEXT', meaning: 'why; stays with the version' };

export type Change = {
  readonly applied: boolean;
  /** The number of the version that came of it. */
  readonly version: number | null;
  readonly diff: CatalogDiff;
};

type ChangeAsk = {
  readonly catalog: LiveCatalog;
  readonly document: CatalogDocument;
  readonly note?: string | undefined;
  /** Of a rollback: the version that has this document. */
  readonly restores?: number;
  readonly isConfirmed: boolean;
};

/** Shows what a document changes, and puts it in force where that is confirmed and there is anything to change. */
export async function putInForce(deployment: OpenDeployment, ask: ChangeAsk): Promise<Change> {
  const { catalog, document, note, restores, isConfirmed } = ask;
  checkProviderRows(document.providers);
  const planned = planVersion({ catalog, document, isRollback: restores !== undefined, nowMs: Date.now() });
  if (!isConfirmed || isEmptyDiff(planned.diff)) return { applied: false, version: null, diff: planned.diff };
  const version = await appendCatalogVersion(deployment.database.pool, {
    ...{ ...planned, actor: deployment.operator, note },
    // The catalogue of the release is no version.
    restores: restores === 0 ? undefined : restores,
  });
  await notify(deployment);
  return { applied: true, version, diff: planned.diff };
}

/** Processes look for themselves every two seconds: without a notice they are a little later. */
export async function notify(deployment: OpenDeployment): Promise<void> {
  await deployment.notify().catch(() => undefined);
}

export function describeChange(result: object): string {
  const { applied, version, diff } = result as Change;
  if (isEmptyDiff(diff)) return describeDiff(diff);
  const end = applied
    ? `This is version ${version}. Every process of the gateway has it within five seconds.`
    : 'Nothing was changed yet: the same with --yes does it.';
  return `${describeDiff(diff)}${end}\n`;
}
