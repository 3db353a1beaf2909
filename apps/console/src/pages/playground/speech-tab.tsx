import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Select, TextArea, TextField } from '../../design';
import { CodeButton } from './code-dialog';
import { useEstimate } from './estimate';
import type { JsonRecord } from './json';
import { MediaForm, type MediaTabProps } from './media-form';
import { OutcomeView } from './outcome-view';
import { useKeptText } from './use-kept-text';
import { useMediaRequest } from './use-media-request';

const FORMATS = ['mp3', 'wav', 'opus', 'aac', 'flac', 'pcm'] as const;
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];

type Spoken = { readonly audio: Blob; readonly format: string };

/** Speech from text, to be listened to here. */
export function SpeechTab(tab: MediaTabProps) {
  const [input, setInput] = useKeptText('speech-text');
  const [voice, setVoice] = useState('alloy');
  const [instructions, setInstructions] = useState('');
  const [format, setFormat] = useState<string>('mp3');
  const { outcome, run, stop } = useMediaRequest<Spoken>();
  const { chosen } = tab;
  const isReady = chosen !== undefined && input.trim() !== '' && voice.trim() !== '';
  const body = useMemo((): JsonRecord | undefined => {
    if (!isReady) return undefined;
    const steered = instructions.trim() === '' ? {} : { instructions };
    return { model: chosen, input, voice: voice.trim(), response_format: format, ...steered };
  }, [isReady, chosen, input, voice, format, instructions]);
  const estimated = useEstimate(useCallback(() => body, [body]));
  const read = async (response: Response): Promise<Spoken> => ({ audio: await response.blob(), format });
  return (
    <div className="playground-media">
      <MediaForm
        {...tab}
        action="Speak"
        isReady={isReady}
        isRunning={outcome?.state === 'running'}
        estimated={estimated}
        onSend={() => body !== undefined && run({ model: String(chosen), path: 'audio/speech', body, read })}
        onStop={stop}
        more={body !== undefined && <CodeButton requests={() => [{ model: String(chosen), path: 'audio/speech', body }]} />}
      >
        <TextArea label="Text" rows={4} value={input} onChange={(event) => setInput(event.target.value)} />
        <div className="playground-parameters">
          <TextField
            label="Voice"
            hint="One of the list, or the vendor’s own"
            list="playground-voices"
            value={voice}
            onChange={(event) => setVoice(event.target.value)}
          />
          <datalist id="playground-voices">
            {VOICES.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Select
            label="Format"
            value={format}
            options={FORMATS.map((value) => ({ value, label: value === 'pcm' ? 'pcm (to download)' : value }))}
            onChange={setFormat}
          />
          <TextField
            label="Instructions"
            hint="Tone and pace, for models that can be steered"
            value={instructions}
            onChange={(event) => setInstructions(event.target.value)}
          />
        </div>
      </MediaForm>
      <OutcomeView outcome={outcome} subject="The recording">
        {(spoken) => <Player {...spoken} />}
      </OutcomeView>
    </div>
  );
}

function Player({ audio, format }: Spoken) {
  const player = useRef<HTMLAudioElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(audio);
    if (player.current !== null) player.current.src = url;
    if (link.current !== null) link.current.href = url;
    return () => URL.revokeObjectURL(url);
  }, [audio]);
  return (
    <div className="stack">
      {format !== 'pcm' && <audio ref={player} controls aria-label="Recording" />}
      {/* Its address comes with the recording. */}
      <a ref={link} href="." download={`speech.${format}`}>
        Download ({format})
      </a>
    </div>
  );
}
