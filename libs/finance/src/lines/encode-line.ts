import type { PricedLine } from './priced-line';

type Amount = 'requests' | 'attempts' | 'costPico' | 'billedPico' | 'factor';

/** A line as it is kept: integers as text, which JSON has no other exact word for. */
export type EncodedLine = Omit<PricedLine, Amount> & Readonly<Record<Amount, string>>;

export function encodeLine(line: PricedLine): EncodedLine {
  const { requests, attempts, costPico, billedPico, factor, ...rest } = line;
  return {
    ...rest,
    ...{ requests: String(requests), attempts: String(attempts), costPico: String(costPico) },
    ...{ billedPico: String(billedPico), factor: String(factor) },
  };
}

export function decodeLine(line: EncodedLine): PricedLine {
  const { requests, attempts, costPico, billedPico, factor, ...rest } = line;
  return {
    ...rest,
    ...{ requests: BigInt(requests), attempts: BigInt(attempts), costPico: BigInt(costPico) },
    ...{ billedPico: BigInt(billedPico), factor: BigInt(factor) },
  };
}
