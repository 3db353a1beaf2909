/** Providers that the conventions for generative AI (OpenTelemetry) know by another name than ours. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['openai-responses', 'openai'],
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['google', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['xai', 'x_ai'],
]);

/** What `gen_ai.provider.name` calls a provider: the conventions’ name where they have one, else its id. */
export function nameInTraces(providerId: string): string {
  return NAMES.get(providerId) ?? providerId;
}
