import { mayHoldWord, readMember, stringifyExactJson, type OriginalBody } from '@weir/canonical';
import type { ProviderTarget } from '../provider/target';
import { searchUnsupported } from '../failures/unsupported';
import { asArray, asRecord, asText, parseExact, type JsonRecord } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';
import { encodeFilePart } from './encode-file-part';
import { encodeToolCallId, mayHoldOtherIds } from './encode-tool-call-id';

/** Members that only this gateway knows. */
const EXTENSIONS: ReadonlySet<string> = new Set(['weir', 'requesty']);

/** What is changed of a body. Most requests need one member set and nothing else: nothing is made for the rest before it is needed. */
export class MemberEdits {
  readonly set = new Map<string, string>();
  /** What the caller loses by them. */
  dropped: readonly string[] = [];
  /** What of the caller's had to be changed in its meaning. */
  approximated: readonly string[] = [];
  private removed: Set<string> | undefined;

  get remove(): ReadonlySet<string> {
    return this.removed ?? EXTENSIONS;
  }

  takeOut(name: string): void {
    (this.removed ??= new Set(EXTENSIONS)).add(name);
  }

  noteDropped(name: string): void {
    this.dropped = [...this.dropped, name];
  }

  noteApproximated(name: string): void {
    this.approximated = [...this.approximated, name];
  }
}

type Where = { readonly provider: CompatibleProvider; readonly target: ProviderTarget };

/** Rewrites `messages` when it holds a role or a part in words this provider does not know. */
export function rewriteMessages(body: OriginalBody, where: Where, edits: MemberEdits): void {
  const search = planSearch(body, where);
  if (!search.forDeveloper && !search.forFiles && !search.forCallIds) return;
  const messages = parseExact(readMember(body, 'messages') ?? '');
  let isChanged = false;
  for (const [index, entry] of asArray(messages).entries()) {
    const message = asRecord(entry);
    if (message !== undefined && rewriteMessage(message, `messages[${index}]`, { search, provider: where.provider })) isChanged = true;
  }
  if (isChanged) edits.set.set('messages', stringifyExactJson(messages));
}

type Search = { readonly forDeveloper: boolean; readonly forFiles: boolean; readonly forCallIds: boolean };

/** What to look for: a plain text search that may find too much, and never too little. */
function planSearch(body: OriginalBody, { provider, target }: Where): Search {
  const keepsDeveloper = provider.developerRole === 'by-model' && target.model.supportsDeveloperRole;
  const renamesFiles = provider.filePart === 'document-url' && mayHoldWord(body, 'file');
  return {
    forDeveloper: !keepsDeveloper && mayHoldWord(body, 'developer'),
    forFiles: renamesFiles || mayHoldWord(body, 'input_file'),
    forCallIds: mayHoldOtherIds(body.outline, provider.toolCallIds),
  };
}

type Rewriting = { readonly search: Search; readonly provider: CompatibleProvider };

function rewriteMessage(message: JsonRecord, path: string, { search, provider }: Rewriting): boolean {
  const isDeveloper = search.forDeveloper && message['role'] === 'developer';
  if (isDeveloper) message['role'] = 'system';
  const hasNewIds = search.forCallIds && rewriteCallIds(message, provider);
  return (search.forFiles && rewriteFiles(message, path, provider)) || isDeveloper || hasNewIds;
}

/** Ids that another provider gave are refused by one that is strict about its own. */
function rewriteCallIds(message: JsonRecord, { toolCallIds }: CompatibleProvider): boolean {
  let isChanged = false;
  const rewrite = (owner: JsonRecord, name: string): void => {
    const id = asText(owner[name]);
    const reported = id === undefined ? undefined : encodeToolCallId(id, toolCallIds);
    if (reported === id) return;
    owner[name] = reported;
    isChanged = true;
  };
  rewrite(message, 'tool_call_id');
  const calls = asArray(message['tool_calls']).map((call) => asRecord(call) ?? {});
  const ids = new Set(calls.map(({ id }) => id));
  // State that belongs to a call names it.
  const details = asArray(message['reasoning_details']).map((detail) => asRecord(detail) ?? {});
  for (const owner of [...details.filter(({ id }) => ids.has(id)), ...calls]) rewrite(owner, 'id');
  return isChanged;
}

function rewriteFiles(message: JsonRecord, path: string, provider: CompatibleProvider): boolean {
  if (!Array.isArray(message['content'])) return false;
  let isChanged = false;
  message['content'] = message['content'].map((entry: unknown, index) => {
    const part = asRecord(entry);
    if (part?.['type'] !== 'input_file' && !(part?.['type'] === 'file' && provider.filePart === 'document-url')) return entry;
    isChanged = true;
    const file = asRecord(part['file']) ?? part;
    const data = asText(file['file_data']) ?? asText(file['file_url']);
    const filename = asText(file['filename']);
    const isVideo = data !== undefined && isVideoFile(data, filename);
    const field = `${path}.content[${index}]`;
    return encodeFilePart(provider, {
      isVideo,
      field,
      ...(data === undefined ? {} : { data }),
      ...(filename === undefined ? {} : { filename }),
    });
  });
  return isChanged;
}

const VIDEO_ENDING = /\.(?:mp4|m4v|mov|webm|mkv|avi|mpe?g|wmv|flv|3gp)$/i;
const VIDEO_SITE = /^https?:\/\/(?:[a-z0-9-]+\.)*(?:youtube\.com|youtu\.be)\//i;

/** Data states its type; an address shows it by the name of the file, by its ending, or by its host. */
function isVideoFile(data: string, filename: string | undefined): boolean {
  if (data.startsWith('data:')) return data.startsWith('data:video/');
  if (!/^https?:/i.test(data)) return false;
  return VIDEO_ENDING.test(filename ?? '') || VIDEO_ENDING.test(data.split(/[?#]/, 1)[0] ?? '') || VIDEO_SITE.test(data);
}

const SEARCH_OPTIONS = ['search_context_size', 'user_location'] as const;
const FILTERS = ['filters', 'allowed_domains', 'blocked_domains'] as const;
/** They mean nothing when the search, which is encoded elsewhere, was the only tool. */
const ABOUT_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls'] as const;

/** Translates the tool `{type:"web_search"}` into the provider's own way to search, or refuses it. */
export function rewriteWebSearch(body: OriginalBody, where: Where, edits: MemberEdits): void {
  const offered = readMember(body, 'tools');
  if (offered === undefined || !mayHoldWord(body, 'web_search')) return;
  const tools = asArray(parseExact(offered));
  const search = asRecord(tools.find(isSearch));
  if (search === undefined) return;
  const choice = parseExact(readMember(body, 'tool_choice') ?? '');
  // When other tools or none are demanded, the provider would still search, and charge for it.
  if (offersSearch(choice)) wishForSearch(body, { ...where, search }, edits);
  const others = tools.filter((tool) => !isSearch(tool));
  if (others.length === 0) {
    for (const name of ABOUT_TOOLS) {
      edits.takeOut(name);
    }
    edits.dropped = edits.dropped.filter((name) => !(ABOUT_TOOLS as readonly string[]).includes(name));
    return;
  }
  if (!edits.remove.has('tools')) edits.set.set('tools', stringifyExactJson(others));
  const left = leaveSearchOut(choice);
  if (left !== undefined && !edits.remove.has('tool_choice')) edits.set.set('tool_choice', stringifyExactJson(left));
}

function isSearch(tool: unknown): boolean {
  return asRecord(tool)?.['type'] === 'web_search';
}

/** Whether a choice of tools leaves the search on offer. */
function offersSearch(choice: unknown): boolean {
  const chosen = asRecord(choice);
  if (chosen === undefined) return choice !== 'none';
  return [chosen, ...listAllowed(chosen)].some(isSearch);
}

function listAllowed(choice: JsonRecord): readonly unknown[] {
  return asArray(asRecord(choice['allowed_tools'])?.['tools']);
}

/** A choice among tools, the search one of them, in words of a provider that knows no such tool; undefined for any other. */
function leaveSearchOut(choice: unknown): unknown {
  const chosen = asRecord(choice);
  const allowed = chosen === undefined ? [] : listAllowed(chosen);
  if (chosen === undefined || !allowed.some(isSearch)) return undefined;
  const tools = allowed.filter((tool) => !isSearch(tool));
  return tools.length === 0 ? 'none' : { ...chosen, allowed_tools: { ...asRecord(chosen['allowed_tools']), tools } };
}

function wishForSearch(body: OriginalBody, { search, ...where }: Where & { readonly search: JsonRecord }, edits: MemberEdits): void {
  const wish = encodeSearchWish(where.provider, where.target, search);
  noteSearchLosses(search, where, edits);
  for (const [name, value] of Object.entries(wish)) {
    if (readMember(body, name) === undefined) edits.set.set(name, JSON.stringify(value));
  }
}

function noteSearchLosses(search: JsonRecord, { provider }: Where, edits: MemberEdits): void {
  if (FILTERS.some((name) => search[name] !== undefined)) edits.noteDropped('web_search.filters');
  if (provider.webSearch === 'options') return;
  for (const name of SEARCH_OPTIONS) if (search[name] !== undefined) edits.noteDropped(name);
}

/** The members that make the provider search. `search` is in the words of the chat-completions extension. */
export function encodeSearchWish(provider: CompatibleProvider, target: ProviderTarget, search: JsonRecord): JsonRecord {
  if (provider.webSearch === 'always') return {};
  if (provider.webSearch === 'plugin' && target.model.supportsWebSearch) return { plugins: [{ id: 'web' }] };
  if (provider.webSearch !== 'options' || !isSearchModel(target)) throw searchUnsupported(target);
  const location = asRecord(search['user_location']);
  const place = location === undefined ? undefined : (asRecord(location['approximate']) ?? { ...location, type: undefined });
  return {
    web_search_options: {
      ...(search['search_context_size'] === undefined ? {} : { search_context_size: search['search_context_size'] }),
      ...(place === undefined ? {} : { user_location: { type: 'approximate', approximate: place } }),
    },
  };
}

/** Models that search on chat completions carry it in their name. */
export function isSearchModel(target: ProviderTarget): boolean {
  return target.attempt.upstreamModel.includes('search');
}
