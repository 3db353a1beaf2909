export function signRequest(apiKey: string): Record<string, string> {
  return { 'api-key': apiKey };
}
