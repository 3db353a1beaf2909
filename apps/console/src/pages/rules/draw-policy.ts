import type { Policy } from './rules-queries';

/** One member as it is drawn. */
export type DrawnMember = {
  readonly model: string;
  /** 1 is the first; for weights and measurements, where it is written. */
  readonly place: number;
  readonly retries: number;
  /** How often it is the first, between 0 and 1; null where no one can say beforehand. */
  readonly share: number | null;
  /** Of a policy inside this one. */
  readonly inside: readonly DrawnMember[];
};

const DEPTH_MAX = 3;

/** What a policy comes to, with those inside it, down to what can still be read. */
export function drawPolicy(policy: Policy, all: readonly Policy[], depth = 0): DrawnMember[] {
  const total = policy.models.reduce((sum, { weight }) => sum + weight, 0);
  return policy.models.map(({ model, weight, retries }, index) => {
    const inner = depth < DEPTH_MAX ? all.find(({ name }) => model === `policy/${name}`) : undefined;
    return {
      ...{ model, retries, place: index + 1 },
      share: findFirstShare(policy, { index, part: weight / total }),
      inside: inner === undefined ? [] : drawPolicy(inner, all, depth + 1),
    };
  });
}

function findFirstShare({ strategy, models }: Policy, { index, part }: { readonly index: number; readonly part: number }): number | null {
  if (models.length === 1) return 1;
  if (strategy === 'weighted') return part;
  return strategy === 'fallback' ? Number(index === 0) : null;
}

/** The same in words, for those who do not see the picture. */
export function describePolicy({ name, strategy, models, sticky_by: sticky }: Policy): string {
  const total = models.reduce((sum, { weight }) => sum + weight, 0);
  const listed = models.map(({ model, weight }) => (strategy === 'weighted' ? `${model} ${writeShare(weight / total)}` : model)).join(', ');
  const how = {
    fallback: `tries in this order: ${listed}`,
    weighted: `begins by weight with one of: ${listed}; when it fails, the others follow`,
    latency: `begins with the fastest of: ${listed}`,
    price: `begins with the cheapest of: ${listed}`,
  }[strategy];
  const same = sticky === undefined ? '' : ` Requests of the same ${sticky === 'user_id' ? 'end user' : 'trace'} go the same way.`;
  return `policy/${name} ${how}.${same}`;
}

export function writeShare(share: number): string {
  const percent = share * 100;
  return `${percent >= 10 || Number.isInteger(percent) ? Math.round(percent) : percent.toFixed(1)}%`;
}
