import { DAY_MS, HOUR_MS, periodCeiling, type UsageQuery } from '@weir/usage';

export type Question = {
  readonly name: string;
  readonly days: number;
  /** How long before the end of the data the range ends; the last day of the data is today. */
  readonly endsBeforeMs: number;
  readonly resolution: UsageQuery['resolution'];
  readonly groupBy: readonly string[];
  readonly filters?: UsageQuery['filters'];
  /** What 95 of 100 queries may take; null where nothing is promised. */
  readonly p95MaxMs: number | null;
};

/**
 * Since midnight, when questions are asked: the worst moment for those that end now. The hour before is over and not built
 * yet, and the hour that runs is read as if it were over: two hours are read as they are.
 */
export const ASKED_AT_MS = 12 * HOUR_MS + 4 * 60_000;

const AT_MIDNIGHT = { endsBeforeMs: 0 };
const NOW = { endsBeforeMs: DAY_MS - periodCeiling('hour', ASKED_AT_MS) };

/** What acceptance asks, and what is printed beside it. */
export const QUESTIONS: readonly Question[] = [
  { name: '24 hours, by the hour', days: 1, ...NOW, resolution: 'hour', groupBy: [], p95MaxMs: 100 },
  { name: '24 hours, by the hour, model', days: 1, ...NOW, resolution: 'hour', groupBy: ['model_used'], p95MaxMs: 100 },
  {
    ...{ name: '100 days, by day, extra field and label', days: 100, ...AT_MIDNIGHT, resolution: 'day', p95MaxMs: 1_000 },
    groupBy: ['extra.feature', 'api_key_label.team'],
  },
  { name: '100 days, by the hour, model', days: 100, ...AT_MIDNIGHT, resolution: 'hour', groupBy: ['model_used'], p95MaxMs: 1_000 },
  {
    ...{ name: '24 hours, by the hour, of one team', days: 1, ...NOW, resolution: 'hour', groupBy: ['model_used'], p95MaxMs: 100 },
    filters: [{ name: 'api_key_label.team', values: ['team-3'] }],
  },
  {
    ...{
      name: '100 days, by day, of two features',
      days: 100,
      ...AT_MIDNIGHT,
      resolution: 'day',
      groupBy: ['api_key_id'],
      p95MaxMs: 1_000,
    },
    filters: [{ name: 'extra.feature', values: ['feature-3', 'feature-17'] }],
  },
  {
    ...{ name: '100 days, by the hour, of one model', days: 100, ...AT_MIDNIGHT, resolution: 'hour', groupBy: [], p95MaxMs: 1_000 },
    filters: [{ name: 'model_used', values: ['vendor/model-3'] }],
  },
  {
    ...{
      name: '100 days, by the hour, key, of one feature',
      days: 100,
      ...AT_MIDNIGHT,
      resolution: 'hour',
      groupBy: ['api_key_id'],
      p95MaxMs: null,
    },
    filters: [{ name: 'extra.feature', values: ['feature-3'] }],
  },
  { name: '24 hours, by the hour, extra field', days: 1, ...NOW, resolution: 'hour', groupBy: ['extra.feature'], p95MaxMs: null },
  { name: '100 days, by the hour, key', days: 100, ...AT_MIDNIGHT, resolution: 'hour', groupBy: ['api_key_id'], p95MaxMs: null },
  {
    ...{ name: '100 days, by month, extra field, key and model', days: 100, ...AT_MIDNIGHT, resolution: 'month', p95MaxMs: null },
    groupBy: ['extra.feature', 'api_key_id', 'model_used'],
  },
  { name: '100 days, by the hour, extra field', days: 100, ...AT_MIDNIGHT, resolution: 'hour', groupBy: ['extra.feature'], p95MaxMs: null },
];

export function askOf(
  { days, endsBeforeMs, resolution, groupBy, filters }: Question,
  organizationId: string,
  dataEndMs: number,
): UsageQuery {
  const endMs = dataEndMs - endsBeforeMs;
  return { organizationId, startMs: endMs - days * DAY_MS, endMs, resolution, groupBy, ...(filters === undefined ? {} : { filters }) };
}
