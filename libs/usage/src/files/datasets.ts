import { USAGE_MEASURES, type UsageDataset, type UsageMeasure } from '@weir/contracts';
import { FOCUS_COLUMNS } from '../finance/focus-columns';
import { USAGE_CSV_COLUMNS } from '../finance/usage-csv-columns';
import type { UsageColumn, UsageLine } from '../finance/usage-line';
import { USAGE_EVENT_COLUMNS, type UsageEventLine } from './event-columns';

/** Which columns of a file add up to which measure of its day. */
export type SummedColumns = Readonly<Record<string, UsageMeasure>>;

type Dataset<Line> = { readonly columns: readonly UsageColumn<Line>[]; readonly sums: SummedColumns };

/** The columns of the finance file without names, which are today's and would change a file although nothing was used. */
const LINE_COLUMNS = USAGE_CSV_COLUMNS.filter(({ isName }) => isName !== true);
const OF_FILE = ['period_start', 'period_end', 'organization_id', 'status', 'revision', 'as_of'];

/** What stays apart in the sums of a day by fewer dimensions: names of columns of the finance file. */
const KEY_DIMENSIONS = ['api_key_id', 'member_id', 'group_id', 'is_byok', 'api_key_labels', 'group_labels'] as const;
const MODEL_DIMENSIONS = ['model_requested', 'model_used', 'provider_used', 'is_byok', 'endpoint', 'modality'] as const;

function keepDimensions(dimensions: readonly string[]): readonly UsageColumn[] {
  const kept = new Set<string>([...OF_FILE, ...dimensions, ...USAGE_MEASURES]);
  return LINE_COLUMNS.filter(({ name }) => kept.has(name));
}

const MEASURES: SummedColumns = Object.fromEntries(USAGE_MEASURES.map((measure) => [measure, measure]));

const FOCUS_MEASURES: SummedColumns = {
  ConsumedQuantity: 'requests',
  x_Attempts: 'attempts',
  x_InputTokens: 'input_tokens',
  x_CachedTokens: 'cached_tokens',
  x_CacheWriteTokens: 'cache_write_tokens',
  x_OutputTokens: 'output_tokens',
  x_ReasoningTokens: 'reasoning_tokens',
  x_Searches: 'searches',
  x_Images: 'images',
  x_Characters: 'characters',
  x_AudioMilliseconds: 'audio_ms',
  ListCost: 'spend_usd',
  BilledCost: 'billed_usd',
  EffectiveCost: 'billed_usd',
  ContractedCost: 'billed_usd',
};

/** Datasets of lines of sums, by the rows of which they are made. */
export const LINE_DATASETS: Readonly<Record<Exclude<UsageDataset, 'events'>, Dataset<UsageLine>>> = {
  hours: { columns: LINE_COLUMNS, sums: MEASURES },
  days: { columns: LINE_COLUMNS, sums: MEASURES },
  keys: { columns: keepDimensions(KEY_DIMENSIONS), sums: MEASURES },
  models: { columns: keepDimensions(MODEL_DIMENSIONS), sums: MEASURES },
  focus: { columns: FOCUS_COLUMNS, sums: FOCUS_MEASURES },
};

export const EVENT_DATASET: Dataset<UsageEventLine> = { columns: USAGE_EVENT_COLUMNS, sums: MEASURES };
