import { listRemoteMedia, replaceSources, type ChatRequest, type MediaSource, type RemoteKind, type RemoteMedia } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { ClientGone } from '@weir/exchange';
import type { GuardedFetcher, MediaKind } from '@weir/guarded-fetch';
import { needsFetching, type Provider, type FetchedAddresses, type ProviderTarget } from '@weir/providers';
import type { ChatSession } from '../session/chat-session';
import { estimateMediaTokens } from '../session/estimate-tokens';

/** A request whose media was fetched and stands in it, and what the files add to the prompt, roughly. */
export type InlinedRequest = { readonly asked: ChatRequest; readonly promptTokens: number };

/** Fetches the media that the provider of an attempt does not fetch itself; returns undefined when there is none. */
export type InlineMedia = (
  session: ChatSession,
  place: { readonly provider: Provider; readonly target: ProviderTarget },
) => Promise<InlinedRequest> | undefined;

export type InlineParts = {
  readonly fetcher: Pick<GuardedFetcher, 'open'>;
  /** For all files of one request together. */
  readonly bytesMax: number;
};

type Inlined = { readonly source: MediaSource; readonly promptTokens: number };

/** What was fetched for one request, by kind and address, and how many bytes may still be. */
type Fetched = { readonly files: Map<string, Promise<Inlined>>; bytesLeft: number };

const FILES_MAX = 20;
const KIND: Readonly<Record<RemoteKind, MediaKind>> = { image: 'image', document: 'pdf', video: 'video' };

/** Media named by address is left to the providers, which refuse what they cannot fetch. */
export const INLINE_NOTHING: InlineMedia = () => undefined;

/**
 * Puts media that a request names by address into the request. An address is fetched once for a request, however often
 * it is named and however many attempts it takes. Throws (or rejects with) a 400 that names the field at fault, and rejects
 * with ClientGone when no one waits any more.
 */
export function createMediaInliner({ fetcher, bytesMax }: InlineParts): InlineMedia {
  const fetchedFor = new WeakMap<ChatSession, Fetched>();
  return (session, { provider, target }) => {
    const addresses = provider.fetchedAddresses?.(target);
    if (addresses === undefined || provider.codec === null) return undefined;
    const missing = listMissing(session, provider, addresses);
    if (missing.length === 0) return undefined;
    const fetched = fetchedFor.get(session) ?? { files: new Map<string, Promise<Inlined>>(), bytesLeft: bytesMax };
    fetchedFor.set(session, fetched);
    return inline({ session, missing, fetched }, { fetcher, bytesMax });
  };
}

function listMissing(session: ChatSession, provider: Provider, addresses: FetchedAddresses): RemoteMedia[] {
  // A body for the express lane is decoded only where a search of its text shows that it may name such media.
  const { body } = session;
  const isAsItCame = provider.express?.dialect === session.dialect;
  if (isAsItCame && !mayNameMissing(body.original?.outline ?? body.text, addresses)) return [];
  const missing = listRemoteMedia(session.asked().turns).filter((media) => needsFetching(media, addresses));
  const excess = missing[FILES_MAX];
  if (excess !== undefined) throw refuse(excess, `is one of more than ${FILES_MAX} files that would have to be fetched for this model`);
  return missing;
}

/** The members that hold addresses, in any dialect. */
const NAMES_FILE = /"(?:file_url|file_data)"\s*:\s*"https?:/i;
const NAMES_IMAGE = /"(?:image_url|url)"\s*:\s*"https?:/i;

/** Looks for the kinds that the provider fetches from no address. May find too much, never too little. */
function mayNameMissing(text: string, addresses: FetchedAddresses): boolean {
  const takesNo = (kind: RemoteKind): boolean => addresses[kind]?.length === 0;
  if (takesNo('image') && NAMES_IMAGE.test(text)) return true;
  return (takesNo('document') || takesNo('video')) && text.includes('"file_') && NAMES_FILE.test(text);
}

type Inlining = { readonly session: ChatSession; readonly missing: readonly RemoteMedia[]; readonly fetched: Fetched };

async function inline({ session, missing, fetched }: Inlining, parts: InlineParts): Promise<InlinedRequest> {
  const controller = new AbortController();
  session.onClientGone(() => controller.abort(new ClientGone()));
  const onDeadline = (): void => controller.abort(session.signal.reason);
  session.signal.addEventListener('abort', onDeadline, { once: true });
  const replacements = new Map<MediaSource, MediaSource>();
  let promptTokens = 0;
  const fetchOne = async (media: RemoteMedia): Promise<void> => {
    const file = `${media.kind} ${media.source.url}`;
    const fetching = fetched.files.get(file) ?? fetchFile(media, { session, fetched, parts, signal: controller.signal });
    fetched.files.set(file, fetching);
    const { source, promptTokens: tokens } = await fetching;
    replacements.set(media.source, source);
    promptTokens += tokens;
  };
  try {
    await Promise.all(missing.map(fetchOne));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    session.signal.removeEventListener('abort', onDeadline);
  }
  const asked = session.asked();
  return { asked: { ...asked, turns: replaceSources(asked.turns, replacements) }, promptTokens };
}

type Fetching = { readonly session: ChatSession; readonly fetched: Fetched; readonly parts: InlineParts; readonly signal: AbortSignal };

async function fetchFile(media: RemoteMedia, { session, fetched, parts, signal }: Fetching): Promise<Inlined> {
  const kind = KIND[media.kind];
  const { mediaType, body } = await parts.fetcher.open({
    url: media.source.url,
    kind,
    field: fieldOf(media),
    owner: session.forwarded.passport.caller.organizationId,
    signal,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    fetched.bytesLeft -= (chunk as Buffer).length;
    if (fetched.bytesLeft < 0)
      throw refuse(media, `and the files before it have more than ${parts.bytesMax} bytes together, too many to send on`);
    chunks.push(chunk as Buffer);
  }
  const bytes = Buffer.concat(chunks);
  return {
    source: { kind: 'base64', mediaType, data: bytes.toString('base64'), field: fieldOf(media) },
    promptTokens: estimateMediaTokens(kind, bytes.length),
  };
}

function refuse(media: RemoteMedia, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${fieldOf(media)} ${problem}.`, { field: fieldOf(media) });
}

function fieldOf({ source }: RemoteMedia): string {
  return source.field ?? 'messages';
}
