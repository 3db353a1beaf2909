import type { ChatDialect } from '@weir/contracts';
import { hasFixtures, listCaptures, loadCaptures, type Capture } from '@weir/testing';
import { CONVERSATIONS } from './conversations';
import { DIALECT_REQUESTS } from './dialect-requests';
import { encodeInDialect } from './encode-in-dialect';

export type ClientRequest = {
  readonly name: string;
  readonly dialect: ChatDialect;
  readonly body: Record<string, unknown>;
  readonly isCaptured: boolean;
};

const MODEL = 'vendor/model';
const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];

/** Everything that is asked: conversations in every dialect, what one dialect alone can say, and captured requests. */
export function listRequests(): ClientRequest[] {
  const generated = DIALECTS.flatMap((dialect) => [
    ...CONVERSATIONS.map((conversation) => ({ name: conversation.name, body: encodeInDialect(dialect, conversation, MODEL) })).map(
      toRequest(dialect),
    ),
    ...DIALECT_REQUESTS[dialect].map(toRequest(dialect)),
  ]);
  return [...generated, ...(hasFixtures() ? listCaptured() : [])];
}

function toRequest(dialect: ChatDialect) {
  return ({ name, body }: { name: string; body: Record<string, unknown> }): ClientRequest => ({
    name: `${name} (${dialect})`,
    dialect,
    body: { model: MODEL, ...body },
    isCaptured: false,
  });
}

/** Requests that clients really sent, each once. */
function listCaptured(): ClientRequest[] {
  const seen = new Set<string>();
  return listCaptures().flatMap((path) =>
    loadCaptures(path).flatMap((capture, index): ClientRequest[] => {
      const asked = readAsked(capture);
      const text = asked === undefined ? '' : JSON.stringify(asked);
      if (asked === undefined || seen.has(text)) return [];
      seen.add(text);
      return [{ name: `${path}#${index}`, ...asked, isCaptured: true }];
    }),
  );
}

function readAsked(capture: Capture): { dialect: ChatDialect; body: Record<string, unknown> } | undefined {
  const body = readBody(capture);
  const dialect = dialectOf(capture, body);
  return body === undefined || dialect === undefined ? undefined : { dialect, body: { ...shortenProse(body), model: MODEL } };
}

function readBody({ request, role, kind, body }: Capture): Record<string, unknown> | undefined {
  const sent: unknown = request === undefined && role === 'request' && kind === 'json' ? JSON.parse(String(body)) : request?.body;
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Record<string, unknown>) : undefined;
}

/** By the address, else by the folder that such requests are kept in. */
function dialectOf({ request, path }: Capture, body: Record<string, unknown> | undefined): ChatDialect | undefined {
  const address = (request?.url ?? path).replace(/\?.*$/, '');
  if (/\/(chat\/completions$|completions\/req-)/.test(address)) return Array.isArray(body?.['messages']) ? 'chat-completions' : undefined;
  if (/\/(responses$|responses\/req-)/.test(address)) return body?.['input'] === undefined ? undefined : 'responses';
  if (/\/(messages$|messages\/req-)/.test(address)) return Array.isArray(body?.['messages']) ? 'messages' : undefined;
  return undefined;
}

const PROSE_CHARACTERS_MAX = 200;

/** Long prose takes time wherever it goes and changes nothing; JSON, data and state stay whole. */
function shortenProse<Value>(value: Value): Value {
  const shorten = (_name: string, member: unknown): unknown =>
    typeof member === 'string' && member.length > PROSE_CHARACTERS_MAX && /^[^{[]\S* /.test(member)
      ? member.slice(0, PROSE_CHARACTERS_MAX)
      : member;
  return JSON.parse(JSON.stringify(value), shorten) as Value;
}
