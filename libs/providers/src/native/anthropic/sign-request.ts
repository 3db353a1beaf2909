/** The version whose fields this folder writes; callers' own versions do not change what the provider is asked. */
const VERSION = '2023-06-01';

export function signRequest(apiKey: string): Record<string, string> {
  return { 'x-api-key': apiKey, 'anthropic-version': VERSION };
}
