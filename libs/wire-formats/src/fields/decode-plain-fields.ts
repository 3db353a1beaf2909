import { PLAIN_FIELDS, type PlainField, type PlainFieldId, type PlainFields } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { findExactInteger, findNumber, findObject, findString, type JsonObject, type NumberRange } from './field-readers';

/** Where a field may stand: in the body, or in an object there. */
type Place = { readonly holder: string; readonly key: string };
type Step = {
  readonly id: PlainFieldId;
  readonly places: readonly Place[];
  readonly range: (NumberRange & { readonly isExact?: true }) | undefined;
};

const STEPS: Readonly<Record<ChatDialect, readonly Step[]>> = {
  'chat-completions': planSteps('chat-completions'),
  responses: planSteps('responses'),
  messages: planSteps('messages'),
};

function planSteps(dialect: ChatDialect): readonly Step[] {
  return (Object.entries(PLAIN_FIELDS) as [PlainFieldId, PlainField][]).flatMap(([id, { paths, value }]) => {
    const places = (paths[dialect] ?? []).map(toPlace);
    return places.length === 0 ? [] : [{ id, places, range: value.type === 'number' ? value : undefined }];
  });
}

function toPlace(path: string): Place {
  const dot = path.indexOf('.');
  return dot === -1 ? { holder: '', key: path } : { holder: path.slice(0, dot), key: path.slice(dot + 1) };
}

/** The fields that are rows of `PLAIN_FIELDS`; of two names the first one with a value counts. */
export function decodePlainFields(body: JsonObject, dialect: ChatDialect): PlainFields {
  const fields: Partial<Record<PlainFieldId, number | string>> = {};
  for (const { id, places, range } of STEPS[dialect]) {
    for (const place of places) {
      const value = findPlain(body, place, range);
      if (value === undefined) continue;
      fields[id] = value;
      break;
    }
  }
  return fields as PlainFields;
}

function findPlain(body: JsonObject, { holder, key }: Place, range: Step['range']): number | string | undefined {
  const object = holder === '' ? body : findObject(body, holder);
  if (object === undefined) return undefined;
  if (range === undefined) return findString(object, key, holder);
  const named = holder === '' ? range : { ...range, path: holder };
  return range.isExact === true ? findExactInteger(object, key, named) : findNumber(object, key, named);
}
