export function signRequest(apiKey: string): Record<string, string> {
  return { authorization: `Token ${apiKey}` };
}
