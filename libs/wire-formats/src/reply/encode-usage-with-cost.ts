import { invariant } from '@weir/errors';
import type { PricedUsage } from '../dialect/wire-format';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The usage object as JSON text with `cost` added: digit for digit the exact decimal, never through a float; and with
 * `estimated` where its counts are no provider's.
 */
export function encodeUsageWithCost(usage: object, { costUsd, usage: { source } }: PricedUsage): string {
  invariant(JSON_NUMBER.test(costUsd), 'a cost is decimal text');
  return `${JSON.stringify(usage).slice(0, -1)},"cost":${costUsd}${source === 'estimate' ? ',"estimated":true' : ''}}`;
}
