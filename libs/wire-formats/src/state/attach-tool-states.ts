import type { ContentBlock, OpaqueState } from '@weir/canonical';

/** Gives tool calls back the state that travelled beside them. */
export function attachToolStates(content: ContentBlock[], states: ReadonlyMap<string, OpaqueState>): ContentBlock[] {
  if (states.size === 0) return content;
  return content.map((block) => {
    const state = block.type === 'tool-call' ? states.get(block.id) : undefined;
    return state === undefined ? block : { ...block, state };
  });
}
