import type { LossReport, TranscriptionRequest } from '@weir/canonical';

/** Options of transcriptions by their public names. */
const NAMES = {
  language: 'language',
  prompt: 'prompt',
  temperature: 'temperature',
  include: 'include',
  chunkingStrategy: 'chunking_strategy',
  knownSpeakers: 'known_speaker_names',
} as const satisfies Partial<Record<keyof TranscriptionRequest, string>>;

type TranscriptionOption = keyof typeof NAMES;

/** Reports the options a provider has no word for; `spoken` are those it has. */
export function reportTranscriptionLosses(request: TranscriptionRequest, spoken: readonly TranscriptionOption[], losses: LossReport): void {
  for (const option of Object.keys(NAMES) as TranscriptionOption[]) {
    const value = request[option];
    const isAsked = value !== undefined && value !== 'auto' && !(Array.isArray(value) && value.length === 0);
    if (isAsked && !spoken.includes(option)) losses.dropped.add(NAMES[option]);
  }
}

/** The caller's further form fields that a provider knows by the same name, in order; all others are lost, and reported. */
export function pickFormFields(
  request: TranscriptionRequest,
  known: ReadonlySet<string>,
  losses: LossReport,
): readonly { readonly name: string; readonly value: string }[] {
  return (request.unmapped ?? []).filter(({ name }) => {
    if (!known.has(name)) losses.dropped.add(name);
    return known.has(name);
  });
}
