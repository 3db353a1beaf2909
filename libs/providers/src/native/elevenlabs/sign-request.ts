export function signRequest(apiKey: string): Record<string, string> {
  return { 'xi-api-key': apiKey };
}
