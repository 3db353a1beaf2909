import type { Script } from './script';

/** The body that a caller sends. */
export function writeBody({
  prompt,
  maxTokens,
  isStream,
  attempts,
}: Pick<Script, 'prompt' | 'maxTokens' | 'isStream' | 'attempts'>): string {
  return JSON.stringify({
    model: `sim/model-${attempts}`,
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    stream: isStream,
    messages: [{ role: 'user', content: prompt }],
  });
}
