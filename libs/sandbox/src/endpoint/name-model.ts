import { asText, type JsonRecord } from '@weir/canonical';

/** The model that replies, by the name callers use; calls name it by the part after the slash. */
export function nameModel(body: JsonRecord): string {
  return `sandbox/${asText(body['model']) ?? ''}`;
}
