import { Gauge, type Registry } from 'prom-client';
import { createHistogram } from './create-histogram';
import { createTallies } from './create-tallies';
import { createLabelBound } from './label-bound';
import type { GenAiMetrics, GenAiOutcome } from './gen-ai-metrics';
import type { SeenIn } from './seen-in';

type TokenCounts = {
  readonly inputUncached: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
};

/** What became of one attempt, in labels that stay few. */
export type AttemptOutcome = {
  readonly endpoint: string;
  readonly provider: string;
  readonly model: string;
  readonly outcome: string;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  readonly tokens: TokenCounts;
  /** Exact; exported as a float, because that is what metrics are. Invoices come from the ledger. */
  readonly costPico: bigint;
  /** Its provider reported a usage that is not plausible. Absent means no. */
  readonly isDoubted?: boolean;
  readonly isStream?: boolean;
  /** Its span, where its trace is kept. */
  readonly seen?: SeenIn | undefined;
};

const PICO_PER_USD = 1e12;
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Metrics of upstream attempts: who served what, how it ended, how long it took, what it used and cost. */
export function createAttemptMetrics(registry: Registry, genAi?: GenAiMetrics) {
  const boundModel = createLabelBound(500);
  let open = 0;
  const { attempts, doubted, seconds, firstByte, tokens, cost } = registerAttemptMetrics(registry, () => open);
  // Looking metrics up by their labels costs more than counting; the labels that occur are few.
  const bundles = new Map<string, ReturnType<typeof bind>[]>();
  const bind = ({ endpoint, provider, outcome }: AttemptOutcome, model: string) => {
    const tokensOf = (kind: string) => tokens({ provider, model, kind });
    return {
      endpoint,
      provider,
      outcome,
      attempts: attempts({ endpoint, provider, model, outcome }),
      doubted: doubted({ endpoint, provider, model }),
      seconds: seconds({ endpoint, provider }),
      firstByte: firstByte({ endpoint, provider }),
      cost: cost({ provider, model }),
      genAi: genAi?.bind({ endpoint, provider, model, outcome }),
      tokens: {
        input: tokensOf('input'),
        cacheRead: tokensOf('cache_read'),
        cacheWrite: tokensOf('cache_write'),
        output: tokensOf('output'),
      },
    };
  };
  const find = (reported: AttemptOutcome) => {
    const model = boundModel(reported.model);
    let ofModel = bundles.get(model);
    if (ofModel === undefined) bundles.set(model, (ofModel = []));
    const { endpoint, provider, outcome } = reported;
    let bundle = ofModel.find((each) => each.outcome === outcome && each.provider === provider && each.endpoint === endpoint);
    if (bundle === undefined) ofModel.push((bundle = bind(reported, model)));
    return bundle;
  };
  return {
    opened: () => void (open += 1),
    settled: (reported: AttemptOutcome) => {
      const bundle = find(reported);
      open -= 1;
      bundle.attempts.add(1);
      if (reported.isDoubted === true) bundle.doubted.add(1);
      bundle.seconds.observe(reported.durationMs / 1000, reported.seen);
      if (reported.firstByteMs !== null) bundle.firstByte.observe(reported.firstByteMs / 1000, reported.seen);
      const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output } = reported.tokens;
      if (inputUncached > 0) bundle.tokens.input.add(inputUncached);
      if (cacheRead > 0) bundle.tokens.cacheRead.add(cacheRead);
      if (cacheWrite5m + cacheWrite1h > 0) bundle.tokens.cacheWrite.add(cacheWrite5m + cacheWrite1h);
      if (output > 0) bundle.tokens.output.add(output);
      bundle.genAi?.(toGenAi(reported));
      if (reported.costPico > 0n) bundle.cost.add(Number(reported.costPico) / PICO_PER_USD);
    },
  };
}
/** The conventions count cached input as input. */
function toGenAi({ durationMs, firstByteMs, tokens, isStream, seen }: AttemptOutcome): GenAiOutcome {
  const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output } = tokens;
  return {
    seconds: durationMs / 1000,
    firstChunkSeconds: isStream === true && firstByteMs !== null ? firstByteMs / 1000 : null,
    inputTokens: inputUncached + cacheRead + cacheWrite5m + cacheWrite1h,
    outputTokens: output,
    seen,
  };
}

export type AttemptMetrics = ReturnType<typeof createAttemptMetrics>;

function registerAttemptMetrics(registry: Registry, countOpen: () => number) {
  const attempts = createTallies({
    name: 'weir_attempts_total',
    help: 'Upstream attempts that were settled, by endpoint, provider, model and outcome',
    labelNames: ['endpoint', 'provider', 'model', 'outcome'],
    registers: [registry],
  });
  const doubted = createTallies({
    name: 'weir_attempts_doubted_total',
    help: 'Settled attempts whose provider reported a usage that is not plausible, by endpoint, provider and model',
    labelNames: ['endpoint', 'provider', 'model'],
    registers: [registry],
  });
  const seconds = createHistogram({
    name: 'weir_attempt_seconds',
    help: 'From sending an attempt until it was settled',
    labelNames: ['endpoint', 'provider'],
    buckets: SECONDS,
    registry,
  });
  const firstByte = createHistogram({
    name: 'weir_attempt_first_byte_seconds',
    help: 'From sending an attempt until the first byte of its reply was read',
    labelNames: ['endpoint', 'provider'],
    buckets: SECONDS,
    registry,
  });
  const tokens = createTallies({
    name: 'weir_tokens_total',
    help: 'Tokens of settled attempts, by provider, model and kind',
    labelNames: ['provider', 'model', 'kind'],
    registers: [registry],
  });
  const cost = createTallies({
    name: 'weir_cost_usd_total',
    help: 'What settled attempts are worth in USD, as a float: invoices come from the ledger',
    labelNames: ['provider', 'model'],
    registers: [registry],
  });
  new Gauge({
    name: 'weir_attempts_open',
    help: 'Attempts that were sent and are not settled',
    registers: [registry],
    collect() {
      this.set(countOpen());
    },
  });
  return { attempts, doubted, seconds, firstByte, tokens, cost };
}
