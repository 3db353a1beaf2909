// This library knows what is counted and how it is sliced: dimensions, periods, folding of events.
export { restatableUntil, decodeUsageEvent, type DeadLetterReason, type DecodedUsageEvent } from './decode-usage-event';
export {
  findDimension,
  listExtra,
  type Dimension,
  DIMENSIONS,
  SERIES_LIMITS,
  OTHER_VALUE,
  type DimensionRequest,
  type SeriesDimensions,
} from './dimensions';
export { parseInvoice, findInvoiceRange, compareInvoice, type DayCosts, type ComparedCost } from './finance/compare-invoice';
export { encodeCsv, renderRows } from './finance/encode-csv';
export { FOCUS_COLUMNS } from './finance/focus-columns';
export { parseExportQuery, type UsageExportQuery } from './finance/parse-export-query';
export { USAGE_CSV_COLUMNS } from './finance/usage-csv-columns';
export { encodeInstant, type UsageLine, type UsageFile, type ColumnKind, type UsageColumn } from './finance/usage-line';
export { EVENT_DATASET, LINE_DATASETS, type SummedColumns } from './files/datasets';
export type { UsageEventLine } from './files/event-columns';
export { encodeMeasure, encodeTotals, isMoney, type MeasureTotals } from './files/measure-totals';
export { nameDay, nameFileObject, nameManifest, type ExportedDay } from './files/name-objects';
export {
  foldBatch,
  groupMemberScopeId,
  seriesOfEvent,
  type TimedUsageEvent,
  type RollupIncrement,
  type SpendScope,
  type SpendIncrement,
  type BilledHour,
  type FoldedBatch,
  type SeriesBounds,
} from './fold-batch';
export {
  GENERATION_FIELDS,
  type GenerationFilters,
  type CountedMark,
  type GenerationLine,
  type GenerationNames,
  type GenerationPage,
  type GenerationPosition,
  type GenerationQuery,
  type GenerationScope,
} from './generations/generation-query';
export { decodeGenerationCursor, encodeGenerationCursor } from './generations/generation-cursor';
export { parseGenerationQuery } from './generations/parse-generation-query';
export { MEASURE_COLUMNS, RESULT_COLUMNS, type MeasureColumn } from './measure-columns';
export { addMeasures, measureEvent } from './measures';
export { gatherFilters } from './parse-filters';
export { parseUsageQuery, type UsageScope } from './parse-usage-query';
export { periodStart, periodCeiling, instantKey, periodKey, type Resolution, HOUR_MS, DAY_MS } from './period-key';
export { planUsageSegments, planUsageEdges, type UsageSegment, type UsageEdge } from './plan-usage-segments';
export type { GenerationReader } from './ports/generation-reader';
export type { BatchSource, HeldUsage, AppliedBatch, UsageStore } from './ports/usage-store';
export type { CountedEvent, DaySums, FeedPage, FeedPass, NamedIds, UsageFeed, UsageReference } from './ports/usage-feed';
export type { WriterSequence, UsageUpkeep } from './ports/usage-upkeep';
export { createMemoryWatermarkStore, type WatermarkStore } from './ports/watermark-store';
export {
  correctEvent,
  gatherCorrections,
  hasUsedNothing,
  readCurrentPrice,
  type PricedEvent,
  type RerateFacts,
} from './rerate/correct-event';
export { isCorrection } from './rerate/is-correction';
export { countUsage, createValuesReader, encodeUsage, fillPeriods, listPeriods, type UsageRow } from './results/encode-usage';
export { tooLarge } from './results/too-large';
export type { UsageFilter, UsageReach, UsageQuery } from './usage-query';
