import { asText, type JsonRecord } from '../../wire/json-value';

/** The model that answers, by the name callers know it under: they are asked for it by the part after the slash. */
export function nameModel(body: JsonRecord): string {
  return `sandbox/${asText(body['model']) ?? ''}`;
}
