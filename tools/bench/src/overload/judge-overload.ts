import type { KindResult } from './open-load-job';
import type { OverloadResult } from './run-overload';

/** Of what a gateway does at its best: what it still does when much more is asked of it. */
const GOOD_SHARE_MIN = 0.9;
const RECOVERY_MS_MAX = 5_000;
/** A generator that is later than this measures itself. */
const LATE_MS_MAX = 50;

/** What a run shows, and what of it is not as it should be. */
export function judgeOverload(result: OverloadResult): { readonly lines: readonly string[]; readonly faults: readonly string[] } {
  const { peakPerSecond, goodPerSecond, lateMsP99, kinds, health, recoveryMs } = result;
  const good = goodPerSecond / peakPerSecond;
  const lines = [
    ...kinds.map(describeKind),
    `served ${goodPerSecond.toFixed(0)} a second, ${percent(good)} of the best; the generator was late by ${ms(lateMsP99)} (99 %)`,
    `health and key asked ${health.asked} times, at most ${ms(health.mostMs)}, ${health.failed} without an answer; ` +
      `at most ${health.mostRssMb.toFixed(0)} MB, pressure ${health.mostPressure.toFixed(1)}`,
    `everybody served again after ${(recoveryMs / 1000).toFixed(1)} s`,
  ];
  return { lines, faults: findFaults(result, good) };
}

/** Those who are few may be lucky or not in the moment before anybody is refused. */
const ORDER_SLACK = 0.05;
/** Who is refused first, first. */
const ORDER = ['free', 'lists', 'unpaid', 'paid'];

function findFaults({ lateMsP99, kinds, health, recoveryMs }: OverloadResult, good: number): string[] {
  const faults = kinds.flatMap(({ name, failed, firstFailure }) =>
    failed === 0 ? [] : [`${failed} of ${name} were neither served nor refused: ${firstFailure ?? ''}`],
  );
  if (lateMsP99 > LATE_MS_MAX) faults.push(`nothing is known: the generator itself was late by ${ms(lateMsP99)}`);
  if (good < GOOD_SHARE_MIN) faults.push(`less was served than ${percent(GOOD_SHARE_MIN)} of the best: ${percent(good)}`);
  const shares = ORDER.map((name) => share(kinds.find((kind) => kind.name === name)));
  for (const [index, later] of ORDER.entries()) {
    if (index > 0 && (shares[index] ?? 0) > (shares[index - 1] ?? 0) + ORDER_SLACK)
      faults.push(`${later} was refused more often than ${ORDER[index - 1] ?? ''}`);
  }
  if (health.failed > 0) faults.push('health, or the check of a key, was refused');
  if (recoveryMs > RECOVERY_MS_MAX) faults.push('it took too long until everybody was served again');
  return faults;
}

function share(kind: KindResult | undefined): number {
  return kind === undefined || kind.sent === 0 ? 0 : kind.refused / kind.sent;
}

function describeKind(kind: KindResult): string {
  const { name, sent, skipped, done, refused, failed, doneMs, refusedMs } = kind;
  return (
    `${name}: ${sent} sent, ${skipped} not, ${done} served (p50 ${ms(doneMs.p50)}, p99 ${ms(doneMs.p99)}), ` +
    `${refused} refused, ${percent(share(kind))} (p50 ${ms(refusedMs.p50)}, p99 ${ms(refusedMs.p99)}), ${failed} failed`
  );
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(0)} %`;
}
