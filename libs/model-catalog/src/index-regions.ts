import type { ModelRecord } from './model-record.schema';

/**
 * Other names of the records of regional hosts. A record `<host>-eu/<vendor>/<name>` bound to the provider's region
 * `eu-west-1` is also `<host>/<vendor>/<name>@eu` and `…@eu-west-1`, with or without the vendor, and with or without the
 * date that its name ends with. A region is only ever matched exactly: a continent-wide record does not pass for one of its
 * cities. A name that fits two records is left out.
 */
export function indexRegions(records: readonly ModelRecord[]): ReadonlyMap<string, ModelRecord> {
  const exact = indexNames(records, regionalNames);
  const undated = indexNames(records, (record) => [...regionalNames(record)].map((name) => name.replace(/-\d{8}(?=@)/, '')));
  return new Map([...undated, ...exact].filter((entry): entry is [string, ModelRecord] => entry[1] !== null));
}

/** What two records have in common leads to null. */
function indexNames(records: readonly ModelRecord[], namesOf: (record: ModelRecord) => Iterable<string>): Map<string, ModelRecord | null> {
  const named = new Map<string, ModelRecord | null>();
  for (const record of records) {
    for (const name of namesOf(record)) named.set(name, named.has(name) ? null : record);
  }
  return named;
}

function regionalNames(record: ModelRecord): Set<string> {
  const names = new Set<string>();
  const area = record.geolocation?.toLowerCase();
  const [host = '', ...rest] = record.id.split('/');
  if (area === undefined || !host.endsWith(`-${area}`)) return names;
  const base = host.slice(0, -area.length - 1);
  const full = rest.join('/');
  const withoutVendor = rest.slice(1).join('/') || full;
  for (const region of [area, record.region ?? area]) {
    names.add(`${base}/${full}@${region}`);
    names.add(`${base}/${withoutVendor}@${region}`);
  }
  return names;
}
