import type { RequestLine } from './merge-lines';

const COLUMNS: readonly (readonly [name: string, value: (line: RequestLine) => string | number | boolean | null])[] = [
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

/** As RFC 4180 has it, amounts exactly as the interface states them. */
export function toCsv(lines: readonly RequestLine[]): string {
  const rows = lines.map((line) => COLUMNS.map(([, value]) => writeCell(value(line))).join(','));
  return [COLUMNS.map(([name]) => name).join(','), ...rows, ''].join('\r\n');
}

function writeCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  // Spreadsheets run what begins like this, and names are the callers' own.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
