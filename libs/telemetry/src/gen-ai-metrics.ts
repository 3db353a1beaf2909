import type { Registry } from 'prom-client';
import { createHistogram } from './create-histogram';
import type { SeenIn } from './seen-in';

/** As the conventions for generative AI ask for. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

const COMMON = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'] as const;

/** What the conventions call an attempt: its kind of work, and its provider. */
export type GenAiNames = { readonly operation: (endpointId: string) => string; readonly provider: (providerId: string) => string };

type Asked = { readonly endpoint: string; readonly provider: string; readonly model: string; readonly outcome: string };

export type GenAiOutcome = {
  readonly seconds: number;
  /** Of streams alone. */
  readonly firstChunkSeconds: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seen: SeenIn | undefined;
};

/** Metrics of attempts by OpenTelemetry's conventions for generative AI, for collectors that know these. */
export function createGenAiMetrics(registry: Registry, names: GenAiNames) {
  const duration = histogram('gen_ai.client.operation.duration', 'Duration of calls of models', [...COMMON, 'error.type']);
  const firstChunk = histogram('gen_ai.client.operation.time_to_first_chunk', 'Time until the first chunk of a stream', COMMON);
  const tokens = createHistogram({
    name: 'gen_ai.client.token.usage',
    help: 'Input and output tokens of a call',
    labelNames: [...COMMON, 'gen_ai.token.type'],
    buckets: TOKENS,
    registry,
    unit: '{token}',
  });
  return {
    /** For attempts that are alike: labels are looked up once. */
    bind: ({ endpoint, provider, model, outcome }: Asked): ((ended: GenAiOutcome) => void) => {
      const common = {
        'gen_ai.operation.name': names.operation(endpoint),
        'gen_ai.provider.name': names.provider(provider),
        'gen_ai.request.model': model,
      };
      const seconds = duration(outcome === 'ok' ? common : { ...common, 'error.type': outcome });
      const first = firstChunk(common);
      const input = tokens({ ...common, 'gen_ai.token.type': 'input' });
      const output = tokens({ ...common, 'gen_ai.token.type': 'output' });
      return (ended) => {
        seconds.observe(ended.seconds, ended.seen);
        if (ended.firstChunkSeconds !== null) first.observe(ended.firstChunkSeconds, ended.seen);
        if (ended.inputTokens > 0) input.observe(ended.inputTokens);
        if (ended.outputTokens > 0) output.observe(ended.outputTokens);
      };
    },
  };

  function histogram(name: string, help: string, labelNames: readonly string[]) {
    return createHistogram({ name, help, labelNames: [...labelNames], buckets: SECONDS, registry, unit: 's' });
  }
}
export type GenAiMetrics = ReturnType<typeof createGenAiMetrics>;
