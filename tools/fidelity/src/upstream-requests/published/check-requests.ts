import { invariant } from '@weir/errors';
import type { ClientRequest } from '../corpus/list-requests';
import type { LaneRunner } from '../run-lane';
import { checkBodies, PROGRAM_FOLDER, type Deviation } from './check-bodies';
import type { CheckedBody } from './checked-body';
import { KNOWN_DEVIATIONS, type KnownDeviation } from './known-deviations';
import { listPublishedTypes } from './vendor-types';
import { WRONG_BODIES } from './wrong-bodies';

export type CheckResult = {
  /** For each model, how many requests were encoded for it, and how many were refused. */
  readonly asked: Readonly<Record<string, { readonly accepted: number; readonly refused: number }>>;
  readonly bodies: readonly CheckedBody[];
  readonly failures: readonly { readonly sent: CheckedBody; readonly deviation: Deviation }[];
  readonly explained: readonly { readonly sent: CheckedBody; readonly by: KnownDeviation }[];
  /** What was found in the bodies that are wrong on purpose, by types. */
  readonly inWrong: Readonly<Record<string, readonly Deviation[]>>;
};

/** Which types the body of a call has to fit, by its address. */
const TYPES_OF_PATH: readonly (readonly [ending: RegExp, types: string])[] = [
  [/\/chat\/completions$/, 'openai chat completions'],
  [/\/responses$/, 'openai responses'],
  [/\/messages$/, 'anthropic'],
  [/:(streamR|r)awPredict$/, 'anthropic at a cloud'],
  [/:(streamGenerateContent\?alt=sse|generateContent)$/, 'google'],
  [/\/converse(-stream)?$/, 'bedrock'],
  [/^\/chat$/, 'cohere'],
];
const DIALECT_OF_TYPES: Readonly<Record<string, ClientRequest['dialect']>> = {
  'openai chat completions': 'chat-completions',
  'openai responses': 'responses',
  anthropic: 'messages',
  'anthropic at a cloud': 'messages',
};
/** No word of an interface is longer, and none has a space. */
const WORD_CHARACTERS_MAX = 40;

/** Sends every request through the worker's lane to every model, and checks each different body that comes out. */
export function checkRequests(runner: LaneRunner, requests: readonly ClientRequest[], modelIds: readonly string[]): CheckResult {
  const asked: Record<string, { accepted: number; refused: number }> = {};
  const sent = new Map<string, CheckedBody>();
  for (const modelId of modelIds) {
    const count = (asked[modelId] = { accepted: 0, refused: 0 });
    for (const request of requests) {
      const result = runner.run(request, modelId);
      if ('refused' in result) {
        count.refused += 1;
        continue;
      }
      count.accepted += 1;
      const body = describeCall(result, request);
      const key = `${body.types} ${body.lane} ${body.text.replace(/"model":"[^"]*"/, '')}`;
      if (!sent.has(key)) sent.set(key, body);
    }
  }
  const checked = Object.keys(listPublishedTypes(PROGRAM_FOLDER)).map((types) =>
    checkAgainst(
      types,
      [...sent.values()].filter((body) => body.types === types),
    ),
  );
  return {
    asked,
    bodies: [...sent.values()],
    failures: checked.flatMap(({ failures }) => failures),
    explained: checked.flatMap(({ explained }) => explained),
    inWrong: Object.fromEntries(checked.map(({ types, inWrong }) => [types, inWrong])),
  };
}

type Ran = Exclude<ReturnType<LaneRunner['run']>, { refused: unknown }>;

function describeCall({ lane, call }: Ran, request: ClientRequest): CheckedBody {
  const types = TYPES_OF_PATH.find(([ending]) => ending.test(call.path))?.[1];
  invariant(types !== undefined, `there are types for ${call.path}`);
  const { providerId, upstreamModel } = lane.target.attempt;
  return {
    types,
    providerId,
    upstreamModel,
    lane: lane.kind,
    request,
    text: JSON.stringify(shorten(JSON.parse(call.body.toString()))),
    ownPaths: new Set(),
  };
}

/** Prose takes the checker's time and says nothing about the shape. */
function shorten(body: unknown): unknown {
  if (typeof body === 'string') return body.length > WORD_CHARACTERS_MAX || body.includes(' ') ? 'some text' : body;
  if (Array.isArray(body)) return body.map(shorten);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shorten(value)]));
}

/** One program for everything that has to fit one set of types: what is sent, what callers wrote, and what is wrong on purpose. */
function checkAgainst(types: string, bodies: readonly CheckedBody[]) {
  const published = listPublishedTypes(PROGRAM_FOLDER)[types];
  const { right, wrong } = WRONG_BODIES[types] ?? { right: {}, wrong: [] };
  invariant(published !== undefined, 'only names that are listed are asked for');
  const callers = new Map<string, number>();
  const callerOf = bodies.map(({ request }) =>
    request.dialect === DIALECT_OF_TYPES[types] ? JSON.stringify(shorten(published.toComparable?.(request.body) ?? request.body)) : null,
  );
  for (const text of callerOf) if (text !== null && !callers.has(text)) callers.set(text, bodies.length + callers.size);
  const firstWrong = bodies.length + callers.size;
  const purposely = [right, ...wrong.map(([, body]) => body)].map((body) => JSON.stringify(body));
  const deviations = checkBodies(published, [...bodies.map(({ text }) => text), ...callers.keys(), ...purposely]);
  const pathsOf = groupPaths(deviations);
  const failures: CheckResult['failures'][number][] = [];
  const explained: CheckResult['explained'][number][] = [];
  for (const deviation of deviations.filter(({ body }) => body < bodies.length)) {
    const ownPaths = pathsOf.get(callers.get(callerOf[deviation.body] ?? '') ?? -1) ?? new Set<string>();
    const sent = { ...(bodies[deviation.body] as CheckedBody), ownPaths };
    const by = KNOWN_DEVIATIONS.find((known) => known.explains(deviation, sent));
    if (by === undefined) failures.push({ sent, deviation });
    else explained.push({ sent, by });
  }
  const inWrong = deviations.filter(({ body }) => body >= firstWrong).map((found) => ({ ...found, body: found.body - firstWrong }));
  return { types, failures, explained, inWrong };
}

function groupPaths(deviations: readonly Deviation[]): ReadonlyMap<number, ReadonlySet<string>> {
  const paths = new Map<number, Set<string>>();
  for (const { body, path } of deviations) paths.set(body, (paths.get(body) ?? new Set()).add(path));
  return paths;
}
