import { createOriginalBody, readMember, replaceMember } from '@weir/canonical';

const VERDICTS = 'prompt_filter_results';
const NO_CHOICES = /^\s*\[\s*\]\s*$/;

/**
 * The verdicts on the prompt come in a chunk of their own, without choices, id and model, which clients made for the dialect's
 * own vendor stumble over: they go with the next chunk instead. Those on the answer stand beside its words, where they stay.
 */
export function createFrameCleaner(): (data: string) => string | null {
  let verdicts: string | undefined;
  return (data) => {
    if (verdicts === undefined && !data.includes(VERDICTS)) return data;
    const chunk = createOriginalBody(data);
    if (chunk === undefined) return data;
    if (verdicts !== undefined) {
      const joined = replaceMember(chunk, VERDICTS, verdicts);
      verdicts = undefined;
      return joined;
    }
    const found = readMember(chunk, VERDICTS);
    const isAlone = NO_CHOICES.test(readMember(chunk, 'choices') ?? '') && readMember(chunk, 'usage') === undefined;
    if (found === undefined || !isAlone) return data;
    verdicts = found;
    return null;
  };
}
