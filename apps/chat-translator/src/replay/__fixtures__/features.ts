import type { ReportedReply } from './reported-reply';

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
export function listFeatures(reported: ReportedReply): Feature[] {
  const shown: Readonly<Record<Feature, boolean>> = {
    shape: true,
    text: reported.text !== '',
    tools: reported.calls.length > 0,
    'parallel tools': reported.calls.length > 1,
    reasoning: reported.reasoning !== '',
    citations: reported.citations.length > 0 || reported.hasOtherCitations,
    refusal: reported.refusal !== '' || reported.stop === 'filter',
    length: reported.stop === 'length',
    error: reported.ending !== 'whole',
    usage: reported.usage !== null,
    'cache usage': reported.usage !== null && reported.usage.read + reported.usage.write5m + reported.usage.write1h > 0,
  };
  return FEATURES.filter((feature) => shown[feature]);
}
