type Json = Record<string, unknown>;

/** Two ways to say the same. Both bodies are brought to one of them before they are compared. */
type Normalisation = {
  readonly name: string;
  readonly reason: string;
  /** Changes what it finds in one object, anywhere in the body; returns whether it did. */
  readonly apply: (value: Json) => boolean;
};

/** Values of members that mean the same as leaving them out. */
const MEANT_ANYWAY: Readonly<Record<string, readonly string[]>> = {
  stream: ['false'],
  tool_choice: ['"auto"', '{"type":"auto"}'],
  toolChoice: ['{"auto":{}}'],
  toolConfig: ['{"functionCallingConfig":{"mode":"AUTO"}}'],
  generationConfig: ['{}'],
  system: ['[]'],
  detail: ['"auto"'],
  annotations: ['[]'],
  strict: ['false'],
};

const IS_TEXT = /^(text|input_text|output_text)$/;

/** The one text that a list of parts holds, if that is all it holds. */
function onlyText(parts: unknown): string | undefined {
  const [part, ...others] = Array.isArray(parts) ? (parts as Json[]) : [];
  const { type, text, annotations: _annotations, ...more } = part ?? {};
  return others.length === 0 && IS_TEXT.test(String(type)) && Object.keys(more).length === 0 && typeof text === 'string' ? text : undefined;
}

/** Every harmless difference. A new row needs its reason. */
export const NORMALISATIONS: readonly Normalisation[] = [
  {
    name: 'what is meant anyway',
    reason: 'A member with the value that its absence means.',
    apply: (value) => {
      const found = Object.keys(value).filter((name) => MEANT_ANYWAY[name]?.includes(JSON.stringify(value[name])) === true);
      for (const name of found) Reflect.deleteProperty(value, name);
      return found.length > 0;
    },
  },
  {
    name: 'messages of type message',
    reason: 'The type of an input item may be left out where it has a role.',
    apply: (value) => 'role' in value && value['type'] === 'message' && Reflect.deleteProperty(value, 'type'),
  },
  {
    name: 'texts of one part',
    reason: 'A content of one text may stand as a string.',
    apply: (value) => {
      const name = 'role' in value || value['type'] === 'tool_result' ? 'content' : 'system';
      const text = onlyText(value[name]);
      if (text !== undefined) value[name] = text;
      return text !== undefined;
    },
  },
  {
    name: 'two names of one limit',
    reason: 'max_tokens is the older name of max_completion_tokens. Vendors take both, save for models that reason.',
    apply: (value) => {
      if (!('max_completion_tokens' in value)) return false;
      value['max_tokens'] = value['max_completion_tokens'];
      Reflect.deleteProperty(value, 'max_completion_tokens');
      return true;
    },
  },
  {
    name: 'instructions by any name',
    reason: 'The member instructions, a developer message and a system message in the beginning are one to the model.',
    apply: (value) => {
      const { instructions, input, role } = value;
      if (role === 'developer') value['role'] = 'system';
      if (typeof instructions !== 'string' || !Array.isArray(input)) return role === 'developer';
      value['input'] = [{ role: 'system', content: instructions }, ...(input as unknown[])];
      Reflect.deleteProperty(value, 'instructions');
      return true;
    },
  },
];

/** A body with every harmless difference taken out; the names of what was found are added to `seen`. */
export function normalise(body: unknown, seen: Set<string>): unknown {
  if (Array.isArray(body)) return body.map((entry: unknown) => normalise(entry, seen));
  if (typeof body !== 'object' || body === null) return body;
  const value = { ...(body as Json) };
  for (const { name, apply } of NORMALISATIONS) if (apply(value)) seen.add(name);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalise(member, seen)]));
}
