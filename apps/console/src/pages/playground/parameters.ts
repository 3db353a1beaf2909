import type { Model } from '../models/filter-models';
import type { Draft, Format, ParameterName } from './draft';
import { asRecord, parseJson, type JsonRecord } from './json';

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

type Read = { readonly value: unknown } | { readonly error: string };

type Parameter = {
  readonly label: string;
  readonly hint: string;
  /** The member of the body. */
  readonly member: string;
  read(text: string): Read;
  /** Whether the catalogue says that a model has it; without this, every chat model has. */
  isSupported?(model: Model): boolean;
};

export const PARAMETERS: Readonly<Record<ParameterName, Parameter>> = {
  temperature: { label: 'Temperature', hint: '0 to 2', member: 'temperature', read: (text) => readNumber(text, 0, 2) },
  top_p: { label: 'Top p', hint: '0 to 1', member: 'top_p', read: (text) => readNumber(text, 0, 1) },
  max_tokens: {
    label: 'Maximum tokens',
    hint: 'Of the reply, reasoning included',
    member: 'max_completion_tokens',
    read: (text) => readWhole(text, 1),
  },
  stop: { label: 'Stop', hint: 'One text a line', member: 'stop', read: readStops },
  seed: { label: 'Seed', hint: 'A whole number', member: 'seed', read: (text) => readWhole(text, Number.MIN_SAFE_INTEGER) },
  reasoning_effort: {
    label: 'Reasoning effort',
    hint: 'One of the words, or a number of tokens',
    member: 'reasoning_effort',
    read: readEffort,
    isSupported: (model) => model.supports_reasoning !== false,
  },
};

export const FORMAT_LABELS: Readonly<Record<Format, string>> = { text: 'Text', json_object: 'JSON', json_schema: 'JSON schema' };

/** Nothing known of a model is no reason to keep something from it. */
export function supportsFormat(model: Model | undefined, format: Format): boolean {
  if (model === undefined || format === 'text') return true;
  return (format === 'json_object' ? model.supports_output_json_object : model.supports_output_json_schema) !== false;
}

export function supportsTools(model: Model | undefined): boolean {
  return model?.supports_tool_calling !== false;
}

export function supportsParameter(model: Model | undefined, name: ParameterName): boolean {
  return model === undefined || PARAMETERS[name].isSupported?.(model) !== false;
}

export type DraftErrors = Partial<Record<ParameterName | 'tools' | 'schema' | 'more', string>>;

/** What is wrong with what was typed, by field. */
export function findDraftErrors(draft: Draft): DraftErrors {
  const errors: DraftErrors = {};
  for (const [name, text] of Object.entries(draft.parameters) as [ParameterName, string][]) {
    const read = text.trim() === '' ? { value: undefined } : PARAMETERS[name].read(text);
    if ('error' in read) errors[name] = read.error;
  }
  const parts = { tools: readTools(draft.tools), schema: readSchema(draft), more: readMore(draft.more) };
  for (const [name, read] of Object.entries(parts) as ['tools' | 'schema' | 'more', Read][]) {
    if ('error' in read) errors[name] = read.error;
  }
  return errors;
}

function readNumber(text: string, least: number, most: number): Read {
  const value = Number(text.trim().replace(',', '.'));
  return value >= least && value <= most ? { value } : { error: `A number from ${least} to ${most}.` };
}

function readWhole(text: string, least: number): Read {
  const value = Number(text.trim());
  if (Number.isSafeInteger(value) && value >= least) return { value };
  return { error: least === 1 ? 'A whole number from 1.' : 'A whole number.' };
}

function readStops(text: string): Read {
  const stops = text.split('\n').map((line) => line.trim());
  const value = stops.filter((line) => line !== '');
  return value.length === 1 ? { value: value[0] } : { value };
}

function readEffort(text: string): Read {
  const word = text.trim();
  const isGood = EFFORTS.some((effort) => effort === word) || /^\d{1,9}$/.test(word);
  return isGood ? { value: word } : { error: `One of ${EFFORTS.join(', ')}, or a number of tokens.` };
}

/** Functions, alone or wrapped as the dialect has them. */
export function readTools(text: string): Read {
  if (text.trim() === '') return { value: undefined };
  const value = parseJson(text);
  if (value === undefined) return { error: describeJsonError(text) };
  const tools: unknown[] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (tools.length === 0) return { value: undefined };
  const wrapped = tools.map(wrapTool);
  const bad = wrapped.indexOf(undefined);
  return bad === -1 ? { value: wrapped } : { error: `Tool ${bad + 1} needs a "name", or a "type" of its own.` };
}

function wrapTool(tool: unknown): JsonRecord | undefined {
  const record = asRecord(tool);
  if (typeof record?.['type'] === 'string') return record;
  return typeof record?.['name'] === 'string' && record['name'] !== '' ? { type: 'function', function: record } : undefined;
}

/** A schema alone, or with the name and the strictness that the dialect has around it. */
export function readSchema({ format, schema }: Pick<Draft, 'format' | 'schema'>): Read {
  if (format !== 'json_schema') return { value: undefined };
  if (schema.trim() === '') return { error: 'Write the schema.' };
  const value = asRecord(parseJson(schema));
  if (value === undefined) return { error: parseJson(schema) === undefined ? describeJsonError(schema) : 'A schema is a JSON object.' };
  const isWrapped = asRecord(value['schema']) !== undefined && value['type'] === undefined;
  return { value: isWrapped ? { name: 'reply', ...value } : { name: 'reply', strict: true, schema: value } };
}

/** Members that the playground sets itself, for it could not show the reply otherwise. */
const OWN = ['model', 'messages', 'stream', 'stream_options', 'n'];

export function readMore(text: string): Read {
  if (text.trim() === '') return { value: undefined };
  const value = asRecord(parseJson(text));
  if (value === undefined)
    return { error: parseJson(text) === undefined ? describeJsonError(text) : 'A JSON object, such as {"top_k": 40}.' };
  const own = OWN.find((name) => Object.hasOwn(value, name));
  return own === undefined ? { value } : { error: `"${own}" is set by the playground.` };
}

function describeJsonError(text: string): string {
  try {
    JSON.parse(text);
    return 'This is no JSON.';
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`;
  }
}
