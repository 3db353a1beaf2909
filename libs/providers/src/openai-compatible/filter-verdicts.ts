import type { OpaqueBlock } from '@weir/canonical';
import { asRecord, type JsonRecord } from '../wire/json-value';

/** What content filters said of a prompt and of one choice, put together from whole or streamed verdicts. */
export type FilterVerdicts = {
  add(choice: JsonRecord): void;
  /** Undefined where no filter said anything. */
  take(ofPrompt: unknown): OpaqueBlock | undefined;
};

export function createFilterVerdicts(): FilterVerdicts {
  const ofChoice: JsonRecord = {};
  return {
    add(choice) {
      for (const [category, verdict] of Object.entries(
        asRecord(choice['content_filter_results'] ?? choice['content_filter_result']) ?? {},
      )) {
        // Verdicts on later pieces do not take back that something was filtered.
        if (asRecord(ofChoice[category])?.['filtered'] !== true) ofChoice[category] = verdict;
      }
    },
    take(ofPrompt) {
      const hasSaid = Object.keys(ofChoice).length > 0;
      if (!hasSaid && !Array.isArray(ofPrompt)) return undefined;
      const raw = {
        type: 'content_filter_results',
        ...(hasSaid ? { content_filter_results: ofChoice } : {}),
        ...(Array.isArray(ofPrompt) ? { prompt_filter_results: ofPrompt as unknown[] } : {}),
      };
      return { type: 'opaque', family: 'chat-completions', raw };
    },
  };
}
