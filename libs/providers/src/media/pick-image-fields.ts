import type { ImageRequest, LossReport } from '@weir/canonical';
import type { JsonRecord } from '../wire/json-value';
import { pickFields } from '../wire/pick-fields';

const NUMBERS = new Set([
  'seed',
  'strength',
  'control_strength',
  'similarity_strength',
  'cfg_scale',
  'guidance_scale',
  'num_inference_steps',
  'temperature',
  'top_p',
]);
const FLAGS = new Set(['add_watermark', 'enhance_prompt']);
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/** The caller's further fields, under the provider's names. In a form all values are texts: numbers and flags become such again. */
export function pickImageFields(request: ImageRequest, known: Readonly<Record<string, string>>, losses: LossReport): JsonRecord {
  const values = Object.entries(request.unmapped ?? {}).map(([name, value]) => [name, readFormText(name, value)]);
  return pickFields({ ...request, unmapped: Object.fromEntries(values) as JsonRecord }, known, losses);
}

function readFormText(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (NUMBERS.has(name) && NUMBER.test(value)) return Number(value);
  return FLAGS.has(name) && (value === 'true' || value === 'false') ? value === 'true' : value;
}
