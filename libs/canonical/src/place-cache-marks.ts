import type { ChatRequest, ChatTurn, Tool } from './chat-request';
import type { CacheMark, ContentBlock } from './content';

/** Where a provider takes cache marks. */
export type CachePlaces = { readonly tools: boolean };

/** Blocks that may carry a mark; blank text may not. */
const MARKABLE = new Set<ContentBlock['type']>(['text', 'image', 'document', 'tool-call', 'tool-result']);

/**
 * Marks what the next request will most likely begin with: the tools, the instructions, and the conversation up to the
 * caller's last turn. At most three marks, one below what providers take. A caller's own marks stay alone. Undefined where there is no
 * place for any.
 */
export function placeCacheMarks(request: ChatRequest, mark: CacheMark, places: CachePlaces): ChatRequest | undefined {
  if (hasMarks(request)) return request;
  const { tools, turns } = request;
  const instructions = turns.findIndex((turn) => !isInstruction(turn)) - 1;
  const last = turns.findLastIndex((turn) => turn.role === 'user' || turn.role === 'tool');
  const marked = turns.map((turn, index) => (index === instructions || index === last ? markTurn(turn, mark) : turn));
  const markedTools = tools === undefined || !places.tools ? tools : markTools(tools, mark);
  const isMarked = markedTools !== tools || marked.some((turn, index) => turn !== turns[index]);
  return isMarked ? { ...request, turns: marked, ...(markedTools === undefined ? {} : { tools: markedTools }) } : undefined;
}

function isInstruction({ role }: ChatTurn): boolean {
  return role === 'system' || role === 'developer';
}

function hasMarks({ autoCache, tools = [], turns }: ChatRequest): boolean {
  const isMarked = (item: Tool | ContentBlock): boolean => 'cache' in item && item.cache !== undefined;
  return autoCache !== undefined || tools.some(isMarked) || turns.some(({ content }) => content.some(isMarked));
}

function markTools(tools: readonly Tool[], cache: CacheMark): readonly Tool[] {
  const last = tools.at(-1);
  return last?.kind === 'function' ? [...tools.slice(0, -1), { ...last, cache }] : tools;
}

function markTurn(turn: ChatTurn, cache: CacheMark): ChatTurn {
  const last = turn.content.at(-1);
  if (last === undefined || !MARKABLE.has(last.type) || (last.type === 'text' && last.text.trim() === '')) return turn;
  return { ...turn, content: [...turn.content.slice(0, -1), { ...last, cache } as ContentBlock] };
}
