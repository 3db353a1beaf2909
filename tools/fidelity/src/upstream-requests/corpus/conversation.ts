/** A conversation in no vendor's format. It is encoded in every dialect and for every vendor's SDK. */
export type Conversation = {
  readonly name: string;
  readonly system?: string;
  readonly turns: readonly Turn[];
  readonly tools?: readonly ToolWords[];
  readonly choice?: 'auto' | 'none' | 'required' | { readonly tool: string };
  /** One call at a time. */
  readonly isSerial?: boolean;
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  readonly effort?: 'low' | 'medium' | 'high';
  readonly search?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly isStream?: boolean;
};

export type Turn =
  | { readonly role: 'user'; readonly parts: readonly AskedPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly AnsweredPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultWords[] };

export type AskedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'inline-image'; readonly data: string }
  | { readonly kind: 'pdf'; readonly data: string; readonly filename: string };

export type AnsweredPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

type ToolResultWords = {
  readonly id: string;
  readonly name: string;
  readonly output: string;
};

export type ToolWords = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

export function say(text: string): Turn {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

export function answer(...parts: AnsweredPart[]): Turn {
  return { role: 'assistant', parts };
}
