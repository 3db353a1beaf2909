import { isDeepStrictEqual } from 'node:util';

/** One place where two bodies differ; `absent` where one of them has nothing. */
export type Difference = { readonly path: string; readonly sdk: unknown; readonly ours: unknown };

export const ABSENT = Symbol('absent');

/** Everything in which our body differs from an SDK's; `[]` stands for any position in a list. */
export function listDifferences(sdk: unknown, ours: unknown, path = ''): Difference[] {
  if (isDeepStrictEqual(sdk, ours)) return [];
  if (Array.isArray(sdk) && Array.isArray(ours)) {
    return Array.from({ length: Math.max(sdk.length, ours.length) }, (_, index) =>
      listDifferences(index < sdk.length ? sdk[index] : ABSENT, index < ours.length ? ours[index] : ABSENT, `${path}[]`),
    ).flat();
  }
  if (!isRecord(sdk) || !isRecord(ours)) return [{ path, sdk, ours }];
  const names = new Set([...Object.keys(sdk), ...Object.keys(ours)]);
  return [...names].flatMap((name) =>
    listDifferences(name in sdk ? sdk[name] : ABSENT, name in ours ? ours[name] : ABSENT, path === '' ? name : `${path}.${name}`),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function describeDifference({ path, sdk, ours }: Difference): string {
  return `${path}: the SDK sends ${describeValue(sdk)}, the gateway ${describeValue(ours)}`;
}

function describeValue(value: unknown): string {
  return value === ABSENT ? 'nothing' : JSON.stringify(value).slice(0, 200);
}
