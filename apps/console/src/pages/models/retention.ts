import { findRetention, type Model } from './filter-models';
import type { Retention } from './models-search';

export const RETENTION_WORDS: Readonly<Record<Retention, string>> = { none: 'Not kept', kept: 'Kept', unstated: 'Not stated' };

/** What the provider says about the data it is sent. */
export function describeRetention(model: Pick<Model, 'data_retention' | 'data_retention_days'>): string {
  const retention = findRetention(model);
  const { data_retention_days: days } = model;
  if (retention !== 'kept' || days === undefined) return RETENTION_WORDS[retention];
  return days === 1 ? 'Kept 1 day' : `Kept ${days} days`;
}

export function describeTraining({ data_used_for_training: isUsed }: Pick<Model, 'data_used_for_training'>): string {
  if (isUsed === undefined) return 'Not stated';
  return isUsed ? 'Used for training' : 'Not used for training';
}
