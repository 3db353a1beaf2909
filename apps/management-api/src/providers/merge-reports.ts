import { MODALITIES, processReport, type ProcessReport } from '@weir/contracts';
import type { ModelRecord } from '@weir/model-catalog';
import type { RouteParts } from '../route/management-parts';

/** What all processes together know of one place: a provider's region under one account. */
export type MergedPlace = {
  readonly region: string | null;
  /** An organization's own account; null: the operator's. */
  readonly account: string | null;
  /** Which of the operator's; null where there is only one. */
  readonly accountId: string | null;
  readonly outcomes: Outcomes;
  /** How many processes leave it out now, and until when the last of them does. */
  readonly ejectedBy: number;
  readonly ejectedUntilMs: number | null;
};

export type MergedProvider = {
  readonly described: DescribedProvider;
  readonly places: readonly MergedPlace[];
  readonly models: ReadonlyMap<string, MergedModel>;
  /** How many processes know of it. */
  readonly seenBy: number;
};

export type DescribedProvider = Omit<ProcessReport['providers'][number], 'id'>;

export type MergedModel = { readonly outcomes: Outcomes; readonly stream: Latency; readonly whole: Latency };

export type Outcomes = { attempts: number; failures: number };
export type Latency = { weightedMs: number; samples: number };

type Draft = {
  described: DescribedProvider;
  places: Map<string, Writable<MergedPlace>>;
  models: Map<string, MergedModel>;
  seenBy: number;
};
type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type Account = {
  readonly provider: string;
  readonly region: string | null;
  readonly account: string | null;
  readonly accountId?: string | undefined;
};

/** Undefined where the reports cannot be read at the moment: everything else is there all the same. */
export async function listReports({
  processReports,
  log,
}: Pick<RouteParts, 'processReports' | 'log'>): Promise<readonly string[] | undefined> {
  if (processReports === undefined) return [];
  try {
    return await processReports.list();
  } catch (error) {
    log.warn({ error }, 'what processes report of providers could not be read');
    return undefined;
  }
}

/**
 * Whether a request for a model can reach a provider: one that is set up, or where the organization has an account of its own.
 * Where no process has reported yet, each is taken for one that can.
 */
export async function findCallable(
  parts: Pick<RouteParts, 'processReports' | 'log'>,
  ownProviders: ReadonlySet<string>,
): Promise<(model: Pick<ModelRecord, 'provider' | 'modality'>) => boolean> {
  const reports = readReports((await listReports(parts)) ?? []);
  if (reports.length === 0) return () => true;
  const served = new Set<string>();
  for (const { id, isSetUp, modalities = MODALITIES } of reports.flatMap(({ providers }) => providers))
    if (isSetUp) for (const modality of modalities) served.add(`${id} ${modality}`);
  return ({ provider, modality }) => ownProviders.has(provider) || served.has(`${provider} ${modality}`);
}

/** Reads what processes wrote. One that cannot be read, of another version, is left out and so not counted as seen. */
export function readReports(texts: readonly string[]): ProcessReport[] {
  return texts.flatMap((text) => {
    const read = processReport.safeParse(parseJson(text));
    return read.success ? [read.data] : [];
  });
}

/** Adds up what processes report. Of organizations' own accounts only those that `isVisible` lets through are looked at. */
export function mergeReports(
  reports: readonly ProcessReport[],
  isVisible: (account: string | null) => boolean,
): ReadonlyMap<string, MergedProvider> {
  const drafts = new Map<string, Draft>();
  for (const report of reports) addReport(drafts, report, isVisible);
  return new Map([...drafts].map(([id, draft]) => [id, { ...draft, places: [...draft.places.values()] }]));
}

function addReport(drafts: Map<string, Draft>, report: ProcessReport, isVisible: (account: string | null) => boolean): void {
  for (const { id, ...described } of report.providers) {
    const draft = draftOf(drafts, id);
    draft.seenBy += 1;
    draft.described = { ...described, isSetUp: draft.described.isSetUp || described.isSetUp };
  }
  for (const row of report.ejected) {
    if (!isVisible(row.account)) continue;
    const place = placeOf(drafts, row);
    place.ejectedBy += 1;
    place.ejectedUntilMs = Math.max(place.ejectedUntilMs ?? 0, report.atMs + row.forMs);
  }
  for (const row of report.outcomes) {
    if (!isVisible(row.account)) continue;
    for (const sum of [placeOf(drafts, row).outcomes, modelOf(drafts, row).outcomes]) {
      sum.attempts += row.attempts;
      sum.failures += row.failures;
    }
  }
  for (const row of report.latencies) {
    const model = modelOf(drafts, row);
    const sum = row.isStream ? model.stream : model.whole;
    sum.weightedMs += row.meanMs * row.samples;
    sum.samples += row.samples;
  }
}

function draftOf(drafts: Map<string, Draft>, id: string): Draft {
  let draft = drafts.get(id);
  if (draft === undefined) {
    draft = {
      described: { name: id, isSetUp: false, needs: [], keyWays: [], keyOptional: [] },
      places: new Map(),
      models: new Map(),
      seenBy: 0,
    };
    drafts.set(id, draft);
  }
  return draft;
}

function placeOf(
  drafts: Map<string, Draft>,
  { provider, region, account, accountId = null }: Omit<Account, 'accountId'> & { readonly accountId?: string | null | undefined },
): Writable<MergedPlace> {
  const { places } = draftOf(drafts, provider);
  const key = JSON.stringify([region, account, accountId]);
  let place = places.get(key);
  if (place === undefined) {
    place = { region, account, accountId, outcomes: { attempts: 0, failures: 0 }, ejectedBy: 0, ejectedUntilMs: null };
    places.set(key, place);
  }
  return place;
}

function modelOf(drafts: Map<string, Draft>, { provider, model: id }: { readonly provider: string; readonly model: string }): MergedModel {
  const { models } = draftOf(drafts, provider);
  let model = models.get(id);
  if (model === undefined) {
    const nothing = (): Latency => ({ weightedMs: 0, samples: 0 });
    model = { outcomes: { attempts: 0, failures: 0 }, stream: nothing(), whole: nothing() };
    models.set(id, model);
  }
  return model;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
