import type { ReasoningEffort } from '@weir/canonical';
import { refuseField } from './field-readers';

const EFFORTS: ReadonlySet<unknown> = new Set<ReasoningEffort>(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

export function decodeEffort(value: unknown, field: string): ReasoningEffort {
  return EFFORTS.has(value) ? (value as ReasoningEffort) : refuseField(field, `must be one of ${[...EFFORTS].join(', ')}`);
}
