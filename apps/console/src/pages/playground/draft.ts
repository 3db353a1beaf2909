import type { JsonRecord } from './json';

/** What goes along with a prompt: the part of the message as it is sent. */
export type Attachment = {
  readonly id: string;
  readonly name: string;
  /** Of what is sent; 0 where it is an address or comes from elsewhere. */
  readonly bytes: number;
  readonly part: JsonRecord;
};

export const PARAMETER_NAMES = ['temperature', 'top_p', 'max_tokens', 'stop', 'seed', 'reasoning_effort'] as const;
export type ParameterName = (typeof PARAMETER_NAMES)[number];

export const FORMATS = ['text', 'json_object', 'json_schema'] as const;
export type Format = (typeof FORMATS)[number];

export const TOOL_CHOICES = ['auto', 'required', 'none'] as const;
export type ToolChoice = (typeof TOOL_CHOICES)[number];

/** What someone is writing, as it was typed: the next prompt, and what every request takes along. */
export type Draft = {
  readonly system: string;
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
  readonly parameters: Readonly<Partial<Record<ParameterName, string>>>;
  /** JSON: a list of functions. */
  readonly tools: string;
  readonly toolChoice: ToolChoice;
  readonly format: Format;
  readonly schema: string;
  /** JSON: members of the body that have no field of their own here. */
  readonly more: string;
};

export const EMPTY_DRAFT: Draft = {
  system: '',
  prompt: '',
  attachments: [],
  parameters: {},
  tools: '',
  toolChoice: 'auto',
  format: 'text',
  schema: '',
  more: '',
};
