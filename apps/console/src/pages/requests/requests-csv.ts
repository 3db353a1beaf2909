import type { CsvColumn } from '../../format/csv';
import type { RequestLine } from './merge-lines';

/** Amounts are the interface's own text. */
export const REQUEST_CSV: readonly CsvColumn<RequestLine>[] = [
  ['id', ({ id }) => id],
  ['admitted_at', (line) => line.admitted_at],
  ['status', ({ status }) => status],
  ['model_requested', (line) => line.model_requested],
  ['model', ({ model }) => model],
  ['provider', ({ provider }) => provider],
  ['endpoint', ({ endpoint }) => endpoint],
  ['modality', ({ modality }) => modality],
  ['api_key_id', (line) => line.api_key_id],
  ['api_key_name', (line) => line.api_key_name],
  ['group_id', (line) => line.group_id],
  ['member_id', (line) => line.user_id],
  ['end_user', (line) => line.end_user],
  ['stream', ({ stream }) => stream],
  ['attempts', ({ attempts }) => attempts],
  ['input_tokens', ({ tokens }) => tokens.input],
  ['cached_input_tokens', ({ tokens }) => tokens.cached_input],
  ['output_tokens', ({ tokens }) => tokens.output],
  ['reasoning_tokens', ({ tokens }) => tokens.reasoning],
  ['cost_usd', ({ cost }) => cost],
  ['billed_usd', ({ billed }) => billed],
  ['milliseconds', ({ milliseconds }) => milliseconds],
  ['first_byte_milliseconds', (line) => line.first_byte_milliseconds],
  ['guardrail', ({ guardrail }) => guardrail],
];
