export function signRequest(apiKey: string): Record<string, string> {
  return { 'x-goog-api-key': apiKey };
}
