import { asText, type JsonRecord } from '../../wire/json-value';

type Step = string | number;
type Place = Record<Step, unknown>;

const STEPS = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g;

/** Puts one piece of a call's arguments at its place; pieces of text at the same place follow one another. */
export function addPartialArgument(args: JsonRecord, piece: JsonRecord): void {
  const path = readPath(asText(piece['jsonPath']) ?? '');
  const last = path.pop();
  if (last === undefined) return;
  let place = args as Place;
  for (const [depth, step] of path.entries()) {
    const next = path[depth + 1] ?? last;
    place = enter(place, step, typeof next === 'number' ? [] : createArguments());
  }
  const key = boundIndex(place, last);
  if ('stringValue' in piece) place[key] = `${asText(place[key]) ?? ''}${asText(piece['stringValue']) ?? ''}`;
  else if ('numberValue' in piece) place[key] = piece['numberValue'];
  else if ('boolValue' in piece) place[key] = piece['boolValue'];
  else if ('nullValue' in piece) place[key] = null;
}

/** Without a prototype, so that no name of a member means anything but itself. */
export function createArguments(): JsonRecord {
  return Object.create(null) as JsonRecord;
}

/** `$.recipe.steps[0]` as its steps. */
function readPath(path: string): Step[] {
  return [...path.matchAll(STEPS)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? '') : Number(index),
  );
}

function enter(place: Place, step: Step, empty: JsonRecord | unknown[]): Place {
  const key = boundIndex(place, step);
  const inner = place[key];
  if (typeof inner === 'object' && inner !== null) return inner as Place;
  place[key] = empty;
  return empty as unknown as Place;
}

/** Lists grow one by one: an absurd index must not make a list of holes. */
function boundIndex(place: unknown, step: Step): Step {
  return Array.isArray(place) && typeof step === 'number' ? Math.min(step, place.length) : step;
}
