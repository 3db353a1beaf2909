import type { UsageEvent } from '@weir/contracts';
import type { Verdict } from '../check/check-invariants';
import { eventsOf } from '../check/read-money';
import type { Rig } from '../rig/start-rig';
import type { ClientResult } from '../load/send-request';
import type { OracleEntry } from '../provider/start-sim-provider';

/** `short` proves the same in seconds, with fewer of everything. */
export type Size = 'short' | 'full';

/** Numbers worth a report beside the verdict. */
export type Findings = Readonly<Record<string, number | string>>;

/** How many of what a scenario does at random, where the command says so. */
type Counts = { readonly kills?: number };

export type ScenarioRun = {
  readonly rig: Rig;
  readonly size: Size;
  readonly seed: number;
  readonly report: (line: string) => void;
} & Counts;

/** Something that goes wrong, named after the requirement it tests. It throws when a promise of its own is broken. */
export type Scenario = {
  readonly id: string;
  readonly title: string;
  /** Takes too long even when it is short: only by command. */
  readonly isLong?: boolean;
  run(options: ScenarioRun): Promise<{ verdict: Verdict; findings: Findings }>;
};

export function expectThat(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`broken promise: ${promise}`);
}

/** The one event of a request, and what its provider says of it. */
export function accountsOf(
  rig: Rig,
  events: ReadonlyMap<string, UsageEvent[]>,
  { request }: ClientResult,
): { readonly event: UsageEvent; readonly entry: OracleEntry } {
  const [event, ...more] = eventsOf(events, request.seed);
  const entry = rig.provider.oracle.find(({ seed }) => seed === request.seed);
  if (event === undefined || entry === undefined || more.length > 0) throw new Error(`broken promise: one event for seed ${request.seed}`);
  return { event, entry };
}
