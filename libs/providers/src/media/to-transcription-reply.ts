import { NO_MEDIA_USAGE, type TranscriptionReply, type TranscriptSegment } from '@weir/canonical';
import { joinWords, type HeardWord } from './join-words';

type Transcript = {
  readonly text: string;
  readonly language: string | undefined;
  /** The length of the recording as the provider reports it; anything but a length is ignored. */
  readonly seconds: unknown;
  readonly words: readonly HeardWord[];
  /** The provider's own; made of the words where there are none. */
  readonly segments?: readonly TranscriptSegment[];
};

/** What was heard, charged by the length that the provider reports. */
export function toTranscriptionReply({ text, language, seconds, words, segments = [] }: Transcript): TranscriptionReply {
  const durationSeconds = typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
  return {
    text,
    ...(language === undefined ? {} : { language }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    segments: segments.length > 0 ? segments : joinWords(words),
    words: words.map(({ text: _text, ...word }) => word),
    usage: durationSeconds === undefined ? null : { ...NO_MEDIA_USAGE, seconds: durationSeconds },
  };
}
