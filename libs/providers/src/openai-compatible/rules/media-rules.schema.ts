import { SPEECH_FORMATS, TRANSCRIPT_FORMATS } from '@weir/canonical';
import { z } from 'zod';

const names = z.array(z.string());

const edits = {
  /** Parameter in OpenAI's words → the provider's name for it. */
  renameParams: z.record(z.string(), z.string()).optional(),
  /** Parameters that mean nothing to it: left out and reported to the caller. */
  dropParams: names.optional(),
};

const imageShape = {
  ...edits,
  /** How many pictures one call makes. */
  countMax: z.int().min(1).optional(),
  /** Characters of a prompt. */
  promptMax: z.int().min(1).optional(),
  /** `as-asked`: by address or as base64, as `response_format` says; `base64`: always so, and the field is refused. */
  delivery: z.enum(['as-asked', 'base64']).optional(),
  /** What `response_format` is for base64. */
  base64Word: z.string().optional(),
  /** `1024x1024`, or two numbers. */
  sizeAs: z.enum(['size', 'width-and-height']).optional(),
  hasStreams: z.boolean().optional(),
  /** How many pictures an edit takes. */
  inputsMax: z.int().min(0).optional(),
};

const speechShape = {
  ...edits,
  /** The formats it returns, best first. */
  formats: z.array(z.enum(SPEECH_FORMATS)).optional(),
  /** The voices there are; absent: not known here, any may be named. */
  voices: names.optional(),
  /** Characters of a text, and of instructions. */
  inputMax: z.int().min(1).optional(),
  /** Audio comes as events too, which alone report usage. A model priced by tokens is always asked for them. */
  hasEvents: z.boolean().optional(),
  /** Events are an error, as they are at its vendor. */
  refusesEvents: z.boolean().optional(),
};

const transcriptionShape = {
  ...edits,
  formats: z.array(z.enum(TRANSCRIPT_FORMATS)).optional(),
  /** Bytes of a recording. */
  fileBytesMax: z.int().min(1).optional(),
  /** Usage stands in every `json` reply; otherwise `verbose_json` is asked for, which reports the duration. */
  reportsUsage: z.boolean().optional(),
  hasStreams: z.boolean().optional(),
};

const rulesOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({
    ...shape,
    /** What is different for models, by how their names at the provider begin. */
    models: z.record(z.string(), z.strictObject(shape)).default({}),
  });

/** How requests for pictures, speech and transcriptions differ from OpenAI's own: data only. */
export const mediaRules = {
  images: rulesOf(imageShape).prefault({}),
  speech: rulesOf(speechShape).prefault({}),
  transcription: rulesOf(transcriptionShape).prefault({}),
};

type Rules<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>;
export type ImageRules = Rules<typeof imageShape>;
export type SpeechRules = Rules<typeof speechShape>;
export type TranscriptionRules = Rules<typeof transcriptionShape>;

/** The rules for one model: those of the longest name it begins with, over those of its provider. */
export function rulesOfModel<One extends object>(
  { models, ...general }: One & { readonly models: Readonly<Record<string, Partial<One>>> },
  model: string,
): Omit<One, 'models'> {
  const prefix = Object.keys(models)
    .filter((name) => model.startsWith(name))
    .sort((one, other) => other.length - one.length)[0];
  return { ...general, ...(prefix === undefined ? {} : models[prefix]) } as Omit<One, 'models'>;
}
