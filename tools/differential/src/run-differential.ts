import type { Sight } from './compare/place';
import type { Difference } from './compare/compare-sights';
import { compareSights } from './compare/compare-sights';
import { planRequests, type Group } from './requests/plan-requests';
import type { KeyName } from './gateways/world';
import { createReporter } from './compare/create-reporter';
import { KINDS } from './requests/kinds';
import { openSide, type Side } from './side';
import type { Kind } from './requests/request';

type Options = {
  readonly before: string;
  readonly after: string;
  readonly requests: number;
  readonly seed: number;
  /** Kinds whose ids begin with one of these; all unless given. */
  readonly only?: readonly string[];
  /** Reports what became of each request at the first build. */
  readonly isListing?: boolean;
  readonly report: (line: string) => void;
};

export type Outcome = { readonly requests: number; readonly differences: readonly Difference[] };

/** Groups that are sent at a time, in the part where several are. */
const AT_A_TIME = 8;

/** Sends the same requests through two builds and compares everything that was seen of them. */
export async function runDifferential({ before, after, requests, seed, only, isListing = false, report }: Options): Promise<Outcome> {
  const groups = planRequests(chooseKinds(only), { count: requests, seed });
  const count = groups.reduce((sum, group) => sum + group.requests.length, 0);
  report(`${count} requests of ${new Set(groups.map(({ kind }) => kind)).size} kinds, seed ${seed}`);
  const needed = listKeys(groups);
  const opened = await Promise.allSettled([openSide('before', before, needed), openSide('after', after, needed)]);
  const sides = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  report('both gateways are set up');
  try {
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
    const differences = await compareSides(sides as [Side, Side], groups, { report, isListing });
    return { requests: count, differences };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}

function listKeys(groups: readonly Group[]): ReadonlySet<KeyName> {
  return new Set(groups.flatMap(({ requests }) => requests.flatMap(({ key }) => (typeof key === 'string' ? [key] : []))));
}

function chooseKinds(only: readonly string[] | undefined): readonly Kind[] {
  if (only === undefined) return KINDS;
  const chosen = KINDS.filter(({ id }) => only.some((each) => id.startsWith(each)));
  if (chosen.length === 0) throw new Error(`no kind begins with ${only.join(' or ')}; there are:\n${KINDS.map(({ id }) => id).join('\n')}`);
  return chosen;
}

type Reporting = { readonly report: (line: string) => void; readonly isListing: boolean };

async function compareSides(
  [before, after]: [Side, Side],
  groups: readonly Group[],
  { report, isListing }: Reporting,
): Promise<Difference[]> {
  const reporter = createReporter(groups, report);
  const send = async (group: Group): Promise<void> => {
    const [a, b] = await Promise.all([before.send(group), after.send(group)]);
    if (isListing) for (const line of listRequests(a)) report(line);
    reporter.note(compareSights(a, b));
  };
  for (const group of groups) if (!group.isConcurrent) await send(group);
  const rest = groups.filter(({ isConcurrent }) => isConcurrent);
  const takeTurns = async (): Promise<void> => {
    for (let group = rest.shift(); group !== undefined; group = rest.shift()) await send(group);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, takeTurns));
  report('all requests are sent');
  const [a, b] = await Promise.all([before.readAll(), after.readAll()]);
  reporter.note(compareSights(a, b));
  return reporter.end();
}

/** What became of requests: their statuses, and how many calls they led to. */
function listRequests(sights: readonly Sight[]): string[] {
  const calls = new Map(
    sights.filter(({ place }) => place === 'call').map(({ subject, text }) => [subject, text.match(/^call \d+: /gm)?.length ?? 0]),
  );
  const heads = sights.filter(({ place }) => place === 'response-head');
  return heads.map(({ subject, text }) => `${subject}: ${text.split('\n')[0] ?? ''}, ${calls.get(subject) ?? 0} calls`);
}
