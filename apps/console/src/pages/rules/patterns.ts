import type { Schemas } from '../../api/client';
import type { Modality } from './rules-queries';

export const MODALITIES: readonly (readonly [modality: Modality, label: string])[] = [
  ['chat', 'Chat'],
  ['embedding', 'Embeddings'],
  ['image', 'Images'],
  ['speech', 'Speech'],
  ['transcription', 'Transcription'],
];

/** Patterns as they are written into a form: one on a line. */
export type PatternTexts = Readonly<Record<Modality, string>>;
export type Patterns = Schemas['PreviewAccessList'];

export const NO_PATTERNS: PatternTexts = { chat: '', embedding: '', image: '', speech: '', transcription: '' };

/** Commas divide patterns too: no id of a model has one. */
export function readPatterns(text: string): string[] {
  const patterns = text.split(/[\n,]/).map((line) => line.trim());
  return [...new Set(patterns.filter((pattern) => pattern !== ''))];
}

export function readAllPatterns({ chat, embedding, image, speech, transcription }: PatternTexts): Patterns {
  return {
    chat: readPatterns(chat),
    embedding: readPatterns(embedding),
    image: readPatterns(image),
    speech: readPatterns(speech),
    transcription: readPatterns(transcription),
  };
}

export function writePatterns({ chat, embedding, image, speech, transcription }: Patterns): PatternTexts {
  const write = (patterns: readonly string[]): string => patterns.join('\n');
  return {
    chat: write(chat),
    embedding: write(embedding),
    image: write(image),
    speech: write(speech),
    transcription: write(transcription),
  };
}

export function countPatterns(patterns: Patterns): number {
  return MODALITIES.reduce((sum, [modality]) => sum + patterns[modality].length, 0);
}
