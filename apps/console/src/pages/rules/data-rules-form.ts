import type { Schemas } from '../../api/client';
import { NO_PATTERNS, readAllPatterns, writePatterns, type PatternTexts } from './patterns';

export type DataSettings = Required<Omit<Schemas['PreviewOrganization'], 'budget_mode'>>;

export type DataRulesForm = {
  /** Empty: anywhere. */
  readonly residency: '' | NonNullable<DataSettings['data_residency']>;
  readonly isZeroRetention: boolean;
  readonly isTrainingAllowed: boolean;
  readonly isEveryModel: boolean;
  readonly patterns: PatternTexts;
};

export function fillDataRules(settings: DataSettings): DataRulesForm {
  const { data_residency: residency, approved_models: approved } = settings;
  return {
    residency: residency ?? '',
    isZeroRetention: settings.zero_data_retention,
    isTrainingAllowed: settings.data_used_for_training,
    isEveryModel: approved === null,
    patterns: approved === null ? NO_PATTERNS : writePatterns(approved),
  };
}

export function toDataRulesBody(form: DataRulesForm): DataSettings {
  return {
    data_residency: form.residency === '' ? null : form.residency,
    zero_data_retention: form.isZeroRetention,
    data_used_for_training: form.isTrainingAllowed,
    approved_models: form.isEveryModel ? null : readAllPatterns(form.patterns),
  };
}
