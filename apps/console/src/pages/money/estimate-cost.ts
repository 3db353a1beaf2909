import { add, multiply, parseDecimal, readPrice, roundHalfEven } from '../../format/decimals';
import type { Model } from '../models/filter-models';

export const EMPTY_ESTIMATE = { requests: '1000', input: '1000', cached: '0', output: '500', days: '30' };
export type EstimateForm = typeof EMPTY_ESTIMATE;
export type EstimateErrors = Partial<Record<keyof EstimateForm, string>>;

export type CostEstimate = {
  /** Pico-dollars, as the two below. */
  readonly request: bigint;
  readonly day: bigint;
  readonly month: bigint;
  /** The tier of prices that applies begins above these. */
  readonly tierFrom: number;
};

const WHOLE = /^\d{1,12}$/;
/** The gateway keeps the cost of a request to a pico-dollar. */
const PLACES = 12;

export function findEstimateErrors(form: EstimateForm): EstimateErrors {
  const errors: EstimateErrors = {};
  for (const [name, text] of Object.entries(form) as [keyof EstimateForm, string][])
    if (!WHOLE.test(clean(text))) errors[name] = 'A whole number, 0 or more.';
  const isKnown = errors.input === undefined && errors.cached === undefined;
  if (isKnown && BigInt(clean(form.cached)) > BigInt(clean(form.input))) errors.cached = 'No more than all tokens in.';
  return errors;
}

/** What a number of equal requests costs a day and a month, to the last digit; of a form without errors. */
export function estimateCost({ pricing }: Pick<Model, 'pricing'>, form: EstimateForm): CostEstimate | undefined {
  if (!Array.isArray(pricing)) return undefined;
  const [input, cached, output] = [clean(form.input), clean(form.cached), clean(form.output)];
  const [requests, days] = [clean(form.requests), clean(form.days)];
  const tier = pickTier(pricing, Number(input));
  if (tier === undefined) return undefined;
  const fresh = String(BigInt(input) - BigInt(cached));
  const amounts: readonly (readonly [count: string, price: number])[] = [
    [fresh, tier.input_price],
    [cached, tier.cached_price],
    [output, tier.output_price],
  ];
  const sum = amounts.reduce((total, [count, price]) => add(total, multiply(parseDecimal(count), readPrice(price))), parseDecimal('0'));
  const { units, places } = roundHalfEven(sum, PLACES);
  const request = units * 10n ** BigInt(PLACES - places);
  const day = request * BigInt(requests);
  return { request, day, month: day * BigInt(days), tierFrom: tier.prompt_tokens_threshold };
}

type Tier = Extract<Model['pricing'], readonly unknown[]>[number];

/** The highest tier whose threshold the prompt exceeds; a prompt of exactly the threshold stays below it. */
function pickTier(tiers: readonly Tier[], prompt: number): Tier | undefined {
  const sorted = tiers.toSorted((one, other) => one.prompt_tokens_threshold - other.prompt_tokens_threshold);
  return sorted.findLast(({ prompt_tokens_threshold: above }) => prompt > above) ?? sorted[0];
}

/** People group digits. */
function clean(text: string): string {
  return text.replace(/[\s,_]/g, '');
}
