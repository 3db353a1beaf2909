import type { ModelCatalog } from './model-catalog';
import type { ModelRecord } from './model-record.schema';

/** The row that a request was planned for. */
type Asked = { readonly modelId: string; readonly providerId: string; readonly upstreamModel: string; readonly region: string | null };

/**
 * Finds the row of the catalogue that the model in a reply is, where that is another one than was asked for: undefined where it is the
 * same by another spelling, a snapshot or an alias of it, or no model that its provider is listed with.
 */
export type FindServed = (asked: Asked, reported: string) => ModelRecord | undefined;

/** What names of snapshots and aliases of a model end in. */
const SNAPSHOT = /^(?:[-@](?:\d{2,8}|latest|preview|exp|beta|v\d+(?::\d+)?))+$/;
/** Where a name begins that says from where a model is served. */
const PLACE = /^(?:models\/|(?:us|eu|apac|jp|au|global)\.(?=[a-z]+\.))/;
const NAME_LENGTH_MAX = 200;

type ByProvider = ReadonlyMap<string, readonly ModelRecord[]>;

export function createServedFinder(catalog: Pick<ModelCatalog, 'list' | 'version' | 'recall'>): FindServed {
  let version: object | undefined;
  let byProvider: ByProvider = new Map();
  /** Most requests for a model get the same name in their replies, and the same attempt of a prepared plan. */
  let latest = new WeakMap<Asked, { readonly reported: string; readonly found: ModelRecord | undefined }>();

  const find = (asked: Asked, reported: string): ModelRecord | undefined => {
    const name = toName(reported);
    if (isSameModel(toName(asked.upstreamModel), name) || isSameModel(toName(asked.modelId), name)) return undefined;
    const modality = catalog.recall(asked.modelId)?.modality ?? 'chat';
    const rows = (byProvider.get(asked.providerId) ?? []).filter((row) => row.modality === modality);
    return pickRow(rows, name, asked);
  };

  return (asked, reported) => {
    if (reported === '' || reported.length > NAME_LENGTH_MAX) return undefined;
    if (version !== catalog.version()) {
      version = catalog.version();
      byProvider = groupByProvider(catalog.list());
      latest = new WeakMap();
    }
    const known = latest.get(asked);
    if (known?.reported === reported) return known.found;
    const found = find(asked, reported);
    latest.set(asked, { reported, found });
    return found;
  };
}

/** The row of exactly that name, in the region that was asked for; else the one with the longest name that it is a snapshot of. */
function pickRow(rows: readonly ModelRecord[], name: string, { region }: Asked): ModelRecord | undefined {
  const exact = rows.filter((row) => toName(row.upstreamModel) === name);
  const found = exact.length > 0 ? exact : rows.filter((row) => isSnapshotOf(name, withoutAlias(toName(row.upstreamModel))));
  const longest = Math.max(0, ...found.map(({ upstreamModel }) => upstreamModel.length));
  const closest = found.filter(({ upstreamModel }) => upstreamModel.length === longest);
  return closest.find((row) => (row.region ?? null) === region) ?? closest[0];
}

function groupByProvider(records: readonly ModelRecord[]): ByProvider {
  const groups = new Map<string, ModelRecord[]>();
  for (const record of records) {
    const group = groups.get(record.provider);
    if (group === undefined) groups.set(record.provider, [record]);
    else group.push(record);
  }
  return groups;
}

/** As names are compared: letters alike, a date behind one sign, and nothing of where the model is. */
function toName(name: string): string {
  return name.toLowerCase().replace(PLACE, '').replaceAll('@', '-');
}

/** One of the names is the other, or a snapshot of it, or both are aliases of one: `gpt-4o` and `gpt-4o-2024-08-06`. Two dates are two models. */
function isSameModel(one: string, other: string): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  if (longer.startsWith(shorter)) return longer === shorter || SNAPSHOT.test(longer.slice(shorter.length));
  const stem = withoutAlias(shorter);
  return (
    (stem !== shorter && isSnapshotOf(longer, stem)) || (withoutAlias(longer) !== longer && isSnapshotOf(shorter, withoutAlias(longer)))
  );
}

function isSnapshotOf(name: string, stem: string): boolean {
  return name === stem || (name.startsWith(stem) && SNAPSHOT.test(name.slice(stem.length)));
}

function withoutAlias(name: string): string {
  return name.replace(/-latest$/, '');
}
