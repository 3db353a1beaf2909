import type { Schemas } from '../../api/client';
import { readText, readWord } from '../../search-text';

export const RULES_TABS = ['access', 'routes', 'plan', 'guardrails', 'data'] as const;
export type RulesTab = (typeof RULES_TABS)[number];

export type PlanEndpoint = NonNullable<Schemas['PlanRequest']['endpoint']>;

/** Those that a body in JSON can be planned for, the usual ones first. */
export const PLAN_ENDPOINTS: readonly PlanEndpoint[] = [
  ...(['chat-completions', 'responses', 'messages', 'completions', 'embeddings'] as const),
  ...(['image-generations', 'image-edits', 'speech', 'transcriptions', 'translations'] as const),
];

export type RulesSearch = {
  readonly tab?: RulesTab;
  /** Of the plan: what is asked for, whose request it is, and where it is sent. */
  readonly model?: string;
  readonly key?: string;
  readonly endpoint?: PlanEndpoint;
};

export function readRulesSearch(search: Record<string, unknown>): RulesSearch {
  const tab = readWord(search['tab'], RULES_TABS);
  const endpoint = readWord(search['endpoint'], PLAN_ENDPOINTS);
  const [model, key] = [readText(search['model']), readText(search['key'])];
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { key }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}
