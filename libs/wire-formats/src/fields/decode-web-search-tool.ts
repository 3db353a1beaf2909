import type { WebSearchTool } from '@weir/canonical';
import { dropAbsent } from './drop-absent';
import { findNumber, findObject, findString, findStrings, isObject, joinPath, refuseField, type JsonObject } from './field-readers';

/** All spellings of the search options: both dialect families' field names mean the same and may be mixed. */
export function decodeWebSearchTool(tool: JsonObject, path: string): WebSearchTool {
  const filters = findObject(tool, 'filters', path);
  const inFilters = filters ?? tool;
  const filterPath = filters === undefined ? path : joinPath(path, 'filters');
  return {
    kind: 'web-search',
    ...dropAbsent({
      usesMax: findNumber(tool, 'max_uses', { min: 1, isInteger: true, path }),
      allowedDomains: findStrings(inFilters, 'allowed_domains', filterPath),
      blockedDomains: findStrings(inFilters, 'blocked_domains', filterPath),
      contextSize: decodeContextSize(tool, path),
      userLocation: decodeUserLocation(tool, path),
    }),
  };
}

function decodeContextSize(tool: JsonObject, path: string): 'low' | 'medium' | 'high' | undefined {
  const size = findString(tool, 'search_context_size', path);
  if (size === undefined || size === 'low' || size === 'medium' || size === 'high') return size;
  return refuseField(joinPath(path, 'search_context_size'), 'must be "low", "medium" or "high"');
}

function decodeUserLocation(tool: JsonObject, path: string): WebSearchTool['userLocation'] {
  const location = findObject(tool, 'user_location', path);
  if (location === undefined) return undefined;
  const isNested = isObject(location['approximate']);
  const place = isNested ? (location['approximate'] as JsonObject) : location;
  const field = `${joinPath(path, 'user_location')}${isNested ? '.approximate' : ''}`;
  return dropAbsent({
    country: findString(place, 'country', field),
    region: findString(place, 'region', field),
    city: findString(place, 'city', field),
    timezone: findString(place, 'timezone', field),
  });
}
