import { keyOf, type ConfigurationKind, type CurrentObject, type Fields } from '@weir/configuration';
import type { FoundObject, Reading } from './found-object';
import { readKeysAndLists } from './read-keys-and-lists';
import { readMoneyAlerts } from './read-alerts';
import { readCredentials } from './read-credentials';
import { readPeople } from './read-people';
import { readRules } from './read-rules';
import { readSettings } from './read-settings';

export type CurrentState = {
  readonly objects: readonly CurrentObject[];
  /** By `keyOf`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Names that several objects have, and how each of them can be called instead. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
};

/** All that an organization has of what a configuration may hold, by the names that documents have for it. */
export async function readCurrent(reading: Reading): Promise<CurrentState> {
  const { tx, organizationId } = reading;
  const found: FoundObject[] = [];
  // One after the other: they share a connection.
  for (const read of [readSettings, readPeople, readKeysAndLists, readRules, readMoneyAlerts, readCredentials])
    found.push(...(await read(reading)));
  const records = await tx.configurationObject.findMany({ where: { organizationId } });
  const recordOf = new Map(records.map((record) => [`${record.kind}\n${record.objectId}`, record]));
  const { names, shared } = nameObjects(found, (object) => recordOf.get(`${object.kind}\n${object.id}`)?.name);
  const objects = found.map((object): CurrentObject => {
    const { kind, id } = object;
    const record = recordOf.get(`${kind}\n${id}`);
    const name = nameIn(names, kind, id);
    const owner = record && { configuration: record.configuration, isMade: record.isMade };
    return { kind, name, id, fields: { ...object.fields, ...nameReferences(object, names) }, owner };
  });
  return { objects, ids: new Map(objects.map((object) => [keyOf(object), object.id])), shared };
}

/** Names by kind and id. */
type Names = ReadonlyMap<string, string>;

/**
 * What a document calls each object: as its configuration has called it, or as the organization does. Of several of one
 * name no one can say which is meant, so each gets the beginning of its id as well.
 */
function nameObjects(
  found: readonly FoundObject[],
  recorded: (object: FoundObject) => string | undefined,
): { names: Names; shared: Map<string, string[]> } {
  const plainOf = (object: FoundObject): string => recorded(object) ?? object.ownName ?? '';
  const keyed = (object: FoundObject): string => keyOf({ kind: object.kind, name: plainOf(object) });
  const counts = new Map<string, number>();
  for (const object of found) counts.set(keyed(object), (counts.get(keyed(object)) ?? 0) + 1);
  const names = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const object of found) {
    const { kind, id } = object;
    const plain = plainOf(object);
    const isOne = recorded(object) !== undefined || (plain !== '' && counts.get(keyed(object)) === 1);
    const name = isOne ? plain : `${plain || kind} #${id.slice(0, 8)}`;
    names.set(`${kind}\n${id}`, name);
    if (!isOne && plain !== '') shared.set(keyed(object), [...(shared.get(keyed(object)) ?? []), name]);
  }
  return { names, shared };
}

/** What is gone is called by the beginning of its id: no document can mean it. */
function nameIn(names: Names, kind: ConfigurationKind, id: string): string {
  return names.get(`${kind}\n${id}`) ?? `#${id.slice(0, 8)}`;
}

function nameReferences({ fields, references = {} }: FoundObject, names: Names): Fields {
  return Object.fromEntries(
    Object.entries(references)
      .filter(([field]) => field in fields)
      .map(([field, kind]) => [field, fields[field] === null ? null : nameIn(names, kind, String(fields[field]))]),
  );
}
