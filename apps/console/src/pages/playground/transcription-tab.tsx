import { useCallback, useState } from 'react';
import { Chip, CopyButton, Select, TextArea, TextField } from '../../design';
import { formatBytes } from './attach-files';
import { useEstimate } from './estimate';
import { FileButton } from './file-button';
import { asRecord, asText } from './json';
import { MediaForm, type MediaTabProps } from './media-form';
import { OutcomeView } from './outcome-view';
import { useKeptText } from './use-kept-text';
import { useMediaRequest } from './use-media-request';

const FORMATS = [
  { value: 'json', label: 'Text' },
  { value: 'srt', label: 'Subtitles (SRT)' },
  { value: 'vtt', label: 'Subtitles (VTT)' },
  { value: 'verbose_json', label: 'Text with segments' },
] as const;

type Recording = { readonly file: File; readonly seconds: number | undefined };

/** What is said in a recording. */
export function TranscriptionTab(tab: MediaTabProps) {
  const [recording, setRecording] = useState<Recording>();
  const [language, setLanguage] = useState('');
  const [prompt, setPrompt] = useKeptText('transcription-prompt');
  const [format, setFormat] = useState<string>('json');
  const { outcome, run, stop } = useMediaRequest<string>();
  const { chosen } = tab;
  const seconds = recording?.seconds;
  const build = useCallback(
    () => (chosen === undefined || seconds === undefined ? undefined : { model: chosen, seconds }),
    [chosen, seconds],
  );
  const estimated = useEstimate(build);
  const send = (): void => {
    if (chosen === undefined || recording === undefined) return;
    const form = new FormData();
    const fields = { model: chosen, response_format: format, language: language.trim(), prompt: prompt.trim() };
    for (const [name, value] of Object.entries(fields)) if (value !== '') form.append(name, value);
    form.append('file', recording.file);
    run({ model: chosen, path: 'audio/transcriptions', body: form, read: readWords });
  };
  const choose = ([file]: FileList): void => {
    if (file !== undefined) void measure(file).then((length) => setRecording({ file, seconds: length }));
  };
  return (
    <div className="playground-media">
      <MediaForm
        {...tab}
        action="Transcribe"
        isReady={chosen !== undefined && recording !== undefined}
        isRunning={outcome?.state === 'running'}
        estimated={estimated}
        onSend={send}
        onStop={stop}
        more={
          <FileButton
            label="Choose a recording"
            accept="audio/*,video/mp4,video/webm,.m4a,.mp3,.wav,.flac,.ogg,.opus"
            isOne
            onFiles={choose}
          />
        }
      >
        <div className="row">
          {recording === undefined ? (
            <p className="quiet">No recording is chosen.</p>
          ) : (
            <Chip text={describe(recording)} onRemove={() => setRecording(undefined)} />
          )}
        </div>
        <div className="playground-parameters">
          <TextField label="Language" hint="ISO 639-1, such as de" value={language} onChange={(event) => setLanguage(event.target.value)} />
          <Select label="Format" value={format} options={FORMATS} onChange={setFormat} />
        </div>
        <TextArea
          label="Prompt"
          hint="Names and words that are said"
          rows={2}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
      </MediaForm>
      <OutcomeView outcome={outcome} subject="The text">
        {(text) => <Transcript text={text} />}
      </OutcomeView>
    </div>
  );
}

function Transcript({ text }: { readonly text: string }) {
  return (
    <div className="playground-code">
      <div className="spread">
        <span className="quiet">Transcript</span>
        <CopyButton text={text} label="Copy the transcript" />
      </div>
      <p className="playground-words playground-transcript" tabIndex={0}>
        {text}
      </p>
    </div>
  );
}

function describe({ file, seconds }: Recording): string {
  const length = seconds === undefined ? 'of a length that the browser cannot find' : `${seconds.toFixed(1)} s`;
  return `${file.name}, ${formatBytes(file.size)}, ${length}`;
}

async function readWords(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.includes('json') !== true) return response.text();
  const reply: unknown = await response.json();
  const record = asRecord(reply);
  return record?.['segments'] === undefined ? (asText(record?.['text']) ?? '') : JSON.stringify(reply, null, 2);
}

/** How long a recording is, where the browser can play it. */
function measure(file: File): Promise<number | undefined> {
  return new Promise((resolve) => {
    const url = URL.createObjectURL(file);
    const audio = new Audio();
    const end = (seconds: number | undefined): void => {
      URL.revokeObjectURL(url);
      resolve(seconds);
    };
    audio.onloadedmetadata = () => end(Number.isFinite(audio.duration) ? audio.duration : undefined);
    audio.onerror = () => end(undefined);
    audio.preload = 'metadata';
    audio.src = url;
  });
}
