/** The tokens of a text with their chances, from the chat-completions shape, `{content: [...]}`. */
export function listLogprobs(logprobs: unknown): unknown[] {
  const content = (logprobs as { content?: unknown } | null | undefined)?.content;
  return Array.isArray(content) ? (content as unknown[]) : [];
}
