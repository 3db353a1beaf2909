import type { Attempt } from '@weir/contracts';

/** What fails together: a provider's region under one account. */
export function routeOf(attempt: Attempt): string {
  const account = attempt.credentialId ?? 'own';
  return `${attempt.providerId} ${attempt.region ?? '-'} ${account}`;
}

/** What is equally fast: a model at one place. Streams are apart, since their first byte comes before they are done. */
export function paceOf({ modelId, providerId, region }: Attempt, isStream: boolean): string {
  return `${modelId} ${providerId} ${region ?? '-'} ${isStream ? 'stream' : 'whole'}`;
}

/** Two attempts at the same place: the later one is a retry of the earlier. */
export function isSamePlace(a: Attempt, b: Attempt): boolean {
  return a.modelId === b.modelId && routeOf(a) === routeOf(b);
}
