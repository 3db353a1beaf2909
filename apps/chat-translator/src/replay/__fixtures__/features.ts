import type { ToldReply } from './told-reply';

/** What a capture can show, in the order of the matrix's columns. */
export const FEATURES = [
  'shape',
  'text',
  'tools',
  'parallel tools',
  'reasoning',
  'citations',
  'refusal',
  'length',
  'error',
  'usage',
  'cache usage',
] as const;
export type Feature = (typeof FEATURES)[number];

/** Which features a capture shows; its shape is always looked at. */
export function listFeatures(told: ToldReply): Feature[] {
  const shown: Readonly<Record<Feature, boolean>> = {
    shape: true,
    text: told.text !== '',
    tools: told.calls.length > 0,
    'parallel tools': told.calls.length > 1,
    reasoning: told.reasoning !== '',
    citations: told.citations.length > 0 || told.hasOtherCitations,
    refusal: told.refusal !== '' || told.stop === 'filter',
    length: told.stop === 'length',
    error: told.ending !== 'whole',
    usage: told.usage !== null,
    'cache usage': told.usage !== null && told.usage.read + told.usage.write5m + told.usage.write1h > 0,
  };
  return FEATURES.filter((feature) => shown[feature]);
}
