import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';
import { findPatternProblem } from '../patterns/find-pattern-problem';

/** What a guardrail can look for without further settings. `prompt_injection` is a heuristic: it knows phrases, not intentions. */
export const BUILT_IN_DETECTORS = ['email', 'phone', 'card', 'iban', 'secret', 'ip_address', 'national_id', 'prompt_injection'] as const;
export type BuiltInDetector = (typeof BUILT_IN_DETECTORS)[number];

/** What all detectors of one guardrail may have as JSON text: they travel with every request. */
const DETECTORS_LENGTH_MAX = 4096;

const detectorName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"');

const wordList = z.strictObject({
  name: detectorName,
  /** Words and phrases that may not occur; whole words, case does not matter. */
  words: z.array(z.string().trim().min(2).max(64)).min(1).max(256),
});

const customDetector = z.strictObject({
  name: detectorName,
  /** A regular expression that takes time linear in the text, whatever the text; case matters. */
  pattern: z
    .string()
    .min(1)
    .max(256)
    .check(({ value, issues }) => {
      const problem = findPatternProblem(value);
      if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value });
    }),
});

/** What a guardrail looks for and does. */
const check = {
  detectors: z
    .array(z.union([z.enum(BUILT_IN_DETECTORS), customDetector, wordList]))
    .min(1)
    .max(32)
    .refine(...bounded({ jsonLengthMax: DETECTORS_LENGTH_MAX })),
  action: z.enum(['flag', 'mask', 'block']),
  stage: z.enum(['input', 'output', 'both']).default('both'),
  /** What happens to a request that cannot be scanned: `open` lets it through, `closed` refuses it. */
  on_error: z.enum(['open', 'closed']).default('closed'),
  /** Asked in addition to the detectors. */
  scanner_url: z
    .url({ protocol: /^https$/, message: 'must be an https address' })
    .max(2048)
    .optional(),
};

const rest = {
  ...check,
  /** With neither of these it holds for the whole organization. Compared as text, so in small letters. */
  api_key_id: z.uuid().toLowerCase().optional(),
  group_id: z.uuid().toLowerCase().optional(),
};

/** Body of `POST /v1/manage/guardrail` and of `PUT /v1/manage/guardrail/{id}`. */
export const guardrailBody = z
  .strictObject({ name: z.string().min(1).max(200), ...rest })
  .refine((body) => body.api_key_id === undefined || body.group_id === undefined, {
    message: 'give a key or a group, not both',
    path: ['group_id'],
  });
/** Body of `POST /v1/manage/guardrail/test`: a text, and one guardrail as it would be written or those that are there, by their ids. */
export const testGuardrailBody = z
  .strictObject({
    text: z.string().min(1).max(20_000),
    stage: z.enum(['input', 'output']).default('input'),
    guardrail: z.strictObject({ name: z.string().max(200).default(''), ...check }).optional(),
    guardrail_ids: z.array(z.uuid().toLowerCase()).min(1).max(100).optional(),
  })
  .refine(({ guardrail, guardrail_ids: ids }) => (guardrail === undefined) !== (ids === undefined), {
    message: 'give a guardrail, or the ids of some, and not both',
    path: ['guardrail'],
  });
/** What is kept of a guardrail beside its name. */
export const guardrailDocument = z.strictObject(rest);
export type GuardrailDocument = z.output<typeof guardrailDocument>;
