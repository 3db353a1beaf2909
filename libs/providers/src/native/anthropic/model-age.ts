/** What a model's generation decides about the request. Names that are not Claude's get the oldest behaviour. */
export type ModelAge = {
  /** `budget`: thinking is enabled with a token budget; `adaptive`: the model decides, guided by an effort. */
  readonly thinking: 'budget' | 'adaptive';
  /** Newer models refuse temperature, top_p and top_k. */
  readonly refusesSampling: boolean;
  /** temperature and top_p exclude each other. */
  readonly hasOneSampling: boolean;
  readonly efforts: readonly string[];
  /** Thinking text is left out unless asked for. */
  readonly hidesThinking: boolean;
};

const VERSION = /claude-(?:[a-z]+-)*?(\d+)(?:[-.](\d{1,2}))?(?!\d)/;

const EFFORTS = ['low', 'medium', 'high'] as const;

export function findModelAge(upstreamModel: string): ModelAge {
  const match = VERSION.exec(upstreamModel);
  const version = match === null ? 0 : Number(match[1]) * 100 + Number(match[2] ?? 0);
  return {
    thinking: version >= 406 ? 'adaptive' : 'budget',
    refusesSampling: version >= 407,
    hasOneSampling: version >= 401,
    efforts: version >= 407 ? [...EFFORTS, 'xhigh', 'max'] : version === 406 ? [...EFFORTS, 'max'] : [],
    hidesThinking: version >= 407,
  };
}
