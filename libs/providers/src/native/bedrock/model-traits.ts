/** Which fields a model takes, by its name: one interface serves models of many makers. */
export type ModelTraits = {
  readonly isClaude: boolean;
  /** Cache points in the prompt, among the tools, and with a lifetime; elsewhere they are refused. */
  readonly caches: { readonly prompt: boolean; readonly tools: boolean; readonly hour: boolean };
  /** Tool results say that they are errors. */
  readonly knowsResultStatus: boolean;
  /** Takes a JSON schema for its output; without it, a tool that must be called has the schema, where calls can be forced. */
  readonly hasTextFormat: boolean;
  readonly canForceTools: boolean;
  readonly topK: 'top_k' | 'k' | 'inference-config' | 'none';
  /** `effort-level`: an effort again, of low, medium and high. */
  readonly reasoning: 'thinking' | 'effort' | 'effort-level' | 'reasoning-config' | 'none';
};

const CLAUDE_VERSION = /claude-(?:[a-z]+-)*?(\d+)(?:[-.](\d{1,2}))?(?!\d)/;
const WITHOUT_TEXT_FORMAT = /amazon\.|meta\.|cohere\.|ai21\.|writer\.|mistral\.(mistral-7b|mixtral|mistral-large-24|mistral-small|pixtral)/;
const FORCED_TOOLS = /claude|amazon\.nova|mistral\.(mistral-large|pixtral)/;

export function findModelTraits(upstreamModel: string): ModelTraits {
  const isClaude = upstreamModel.includes('claude');
  const isNova = upstreamModel.includes('amazon.nova');
  const version = isClaude ? readVersion(upstreamModel) : 0;
  return {
    isClaude,
    caches: { prompt: isClaude || isNova, tools: isClaude, hour: version >= 405 },
    knowsResultStatus: isClaude || isNova,
    hasTextFormat: isClaude ? version >= 405 : !WITHOUT_TEXT_FORMAT.test(upstreamModel),
    canForceTools: FORCED_TOOLS.test(upstreamModel),
    topK: isNova ? 'inference-config' : upstreamModel.includes('cohere.') ? 'k' : upstreamModel.includes('meta.') ? 'none' : 'top_k',
    reasoning: isClaude ? 'thinking' : findReasoning(upstreamModel),
  };
}

function findReasoning(upstreamModel: string): ModelTraits['reasoning'] {
  if (upstreamModel.includes('amazon.nova-2')) return 'reasoning-config';
  if (upstreamModel.includes('gpt-oss')) return 'effort-level';
  return upstreamModel.includes('openai.') || upstreamModel.includes('xai.') ? 'effort' : 'none';
}

function readVersion(upstreamModel: string): number {
  const match = CLAUDE_VERSION.exec(upstreamModel);
  return match === null ? 0 : Number(match[1]) * 100 + Number(match[2] ?? 0);
}
