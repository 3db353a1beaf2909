/** Leaves out the tokens of a reply, letter by letter what was masked in it. */
export function dropLogprobs(text: string): string {
  if (!text.includes('"logprobs"')) return text;
  return JSON.stringify(
    JSON.parse(text, (name, value: unknown) => {
      if (name !== 'logprobs' || value === null) return value;
      return Array.isArray(value) ? [] : null;
    }),
  );
}
