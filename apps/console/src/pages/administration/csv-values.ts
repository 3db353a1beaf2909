import { parseUsd, writeMoney } from '../../format/money';
import { listLabels } from './labels';

/** A JSON number of USD with every digit, for files. */
export function writeSpend(usd: number): string {
  return writeMoney(parseUsd(usd));
}

/** A limit for files; no limit is an empty cell. */
export function writeLimit(usd: number | undefined): string | undefined {
  return usd === undefined || usd === 0 ? undefined : writeSpend(usd);
}

export function writeLabels(labels: Readonly<Record<string, string>>): string {
  return listLabels(labels).join('; ');
}
