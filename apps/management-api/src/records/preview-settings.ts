import { findDataProblem, type DataRules } from '@weir/access';
import type { Modality, organizationSettings, previewOrganizationBody } from '@weir/contracts';
import { takeTurn } from '@weir/http-server';
import { createPatternMatcher, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import type { z } from 'zod';

type ShutOut = { readonly by: 'data_rules' | 'approved_models'; readonly message: string };
type FindObstacle = (record: ModelRecord) => ShutOut | undefined;

type Deciding = Pick<
  z.output<typeof organizationSettings>,
  'data_residency' | 'zero_data_retention' | 'data_used_for_training' | 'approved_models'
>;

/** What other settings would let in and shut out, of the models that can be called; `stored` is what holds now. Others are served in between. */
export async function previewSettings(
  stored: object,
  changes: Omit<z.output<typeof previewOrganizationBody>, 'budget_mode'>,
  { catalog, isCallable }: { readonly catalog: ModelCatalog; readonly isCallable: (record: ModelRecord) => boolean },
): Promise<object> {
  // What is kept may be from before a bound that new settings have to be within.
  const now = pickDeciding(stored as Deciding);
  const then = { ...now, ...changes } as Deciding;
  const [findNow, findThen] = [createObstacleFinder(now), createObstacleFinder(then)];
  const records: { record: ModelRecord; before: ShutOut | undefined; after: ShutOut | undefined }[] = [];
  const all = catalog.list();
  for (const record of all) {
    await takeTurn();
    if (isCallable(record)) records.push({ record, before: findNow(record), after: findThen(record) });
  }
  return {
    settings: then,
    models: {
      all: all.length,
      callable: records.length,
      usable_now: records.filter(({ before }) => before === undefined).length,
      usable_then: records.filter(({ after }) => after === undefined).length,
    },
    shut_out: records.flatMap(({ record, before, after }) =>
      after === undefined ? [] : [{ ...nameModel(record), ...after, is_new: before === undefined }],
    ),
    let_in: records.flatMap(({ record, before, after }) => (before !== undefined && after === undefined ? [nameModel(record)] : [])),
  };
}

function pickDeciding({ data_residency, zero_data_retention, data_used_for_training, approved_models }: Deciding): Deciding {
  return { data_residency, zero_data_retention, data_used_for_training, approved_models };
}

function nameModel({ id, modality }: ModelRecord): { readonly id: string; readonly modality: Modality } {
  return { id, modality };
}

/** Finds with the code that requests are checked with. */
function createObstacleFinder(settings: Deciding): FindObstacle {
  const { data_residency: residency, zero_data_retention: isZeroRetention, data_used_for_training: isTrainingAllowed } = settings;
  const rules: DataRules = { residency, isZeroRetention, isTrainingAllowed };
  const isApproved = createApproval(settings.approved_models);
  return (record) => {
    if (!isApproved(record)) {
      return { by: 'approved_models', message: `The organization’s approved models do not have "${record.id}".` };
    }
    const problem = findDataProblem(rules, record);
    return problem && { by: 'data_rules', message: problem.message };
  };
}

function createApproval(approved: Deciding['approved_models']): (record: ModelRecord) => boolean {
  if (approved === null) return () => true;
  const matchers = new Map(Object.entries(approved).map(([modality, patterns]) => [modality, createPatternMatcher(patterns)]));
  return ({ id, modality }) => matchers.get(modality)?.(id) === true;
}
