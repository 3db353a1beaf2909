import type { ChargeLine } from '../lines/charge-line';

/**
 * What a month has by now beyond what is fixed of it in closed months: usage that came late, and prices that were corrected. A
 * line for each key, model and so on that differs, below zero where it has less. Together with what is fixed it is what is now.
 */
export function findAdjustments(now: readonly ChargeLine[], fixed: readonly ChargeLine[]): ChargeLine[] {
  const sums = new Map<string, Differing>();
  const add = (line: ChargeLine, sign: bigint): void => {
    const key = identify(line);
    const sum = sums.get(key) ?? { line, requests: 0n, attempts: 0n, costPico: 0n, billedPico: 0n };
    sum.requests += sign * line.requests;
    sum.attempts += sign * line.attempts;
    sum.costPico += sign * line.costPico;
    sum.billedPico += sign * line.billedPico;
    sums.set(key, sum);
  };
  for (const line of now) add(line, 1n);
  for (const line of fixed) add(line, -1n);
  return [...sums.values()].filter(isDifferent).map(({ line, requests, attempts, costPico, billedPico }) => ({
    ...{ day: line.day, apiKeyId: line.apiKeyId, memberId: line.memberId, groupId: line.groupId },
    ...{ keyLabels: line.keyLabels, groupLabels: line.groupLabels, modelUsed: line.modelUsed, providerUsed: line.providerUsed },
    ...{ modality: line.modality, isByok: line.isByok, requests, attempts, costPico, billedPico },
  }));
}

type Differing = { readonly line: ChargeLine; requests: bigint; attempts: bigint; costPico: bigint; billedPico: bigint };

function isDifferent({ requests, attempts, costPico, billedPico }: Differing): boolean {
  return requests !== 0n || attempts !== 0n || costPico !== 0n || billedPico !== 0n;
}

function identify(line: ChargeLine): string {
  return JSON.stringify([
    ...[line.day, line.apiKeyId, line.memberId, line.groupId, sorted(line.keyLabels), sorted(line.groupLabels)],
    ...[line.modelUsed, line.providerUsed, line.modality, line.isByok],
  ]);
}

function sorted(labels: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
}
