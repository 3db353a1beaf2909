import type { PlainReply } from '../reading/plain-reply';

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
export function listFeatures(reply: PlainReply): Feature[] {
  const shown: Readonly<Record<Feature, boolean>> = {
    shape: true,
    text: reply.text !== '',
    tools: reply.calls.length > 0,
    'parallel tools': reply.calls.length > 1,
    reasoning: reply.reasoning !== '',
    citations: reply.citations.length > 0 || reply.hasOtherCitations,
    refusal: reply.refusal !== '' || reply.stop === 'filter',
    length: reply.stop === 'length',
    error: reply.ending !== 'whole',
    usage: reply.usage !== null,
    'cache usage': reply.usage !== null && reply.usage.read + reply.usage.write5m + reply.usage.write1h > 0,
  };
  return FEATURES.filter((feature) => shown[feature]);
}
