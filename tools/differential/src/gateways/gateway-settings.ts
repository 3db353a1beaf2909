/** Providers that are spoken to in an OpenAI dialect, or one of their own, all at the same upstream under a path of their own. */
const PROVIDERS = [
  ['OPENAI', '/openai/v1'],
  ['MISTRAL', '/mistral/v1'],
  ['GROQ', '/groq/v1'],
  ['DEEPSEEK', '/deepseek/v1'],
  ['XAI', '/xai/v1'],
  ['TOGETHER', '/together/v1'],
  ['FIREWORKS', '/fireworks/v1'],
  ['MOONSHOT', '/moonshot/v1'],
  ['ANTHROPIC', '/anthropic'],
  ['GEMINI', '/gemini'],
  ['COHERE', '/cohere'],
] as const;

/** The same for both gateways but for the provider's port. */
export function gatewaySettings(upstreamUrl: string): Record<string, string> {
  const providers = PROVIDERS.flatMap(([name, path]) => [
    [`${name}_API_KEY`, `key-of-${name.toLowerCase()}`],
    [`${name}_BASE_URL`, `${upstreamUrl}${path}`],
  ]);
  return {
    NODE_ENV: 'production',
    PORT: '0',
    METRICS_PORT: '0',
    PROCESSES: '1',
    LOG_FORMAT: 'json',
    DRAIN_TIMEOUT_MS: '3000',
    DEPLOYMENT_REGION: 'eu',
    REGIONAL_ADDRESSES: 'us=https://us.gateway.example',
    JSON_BODY_BYTES_MAX: String(2 * 1024 * 1024),
    UPLOAD_FILE_BYTES_MAX: String(256 * 1024),
    UPSTREAM_HEADERS_TIMEOUT_MS: '4000',
    UPSTREAM_IDLE_TIMEOUT_MS: '4000',
    // Refusals of providers are compared, not waited for.
    PROVIDER_QUEUE_MS: '0',
    ...(Object.fromEntries(providers) as Record<string, string>),
  };
}
