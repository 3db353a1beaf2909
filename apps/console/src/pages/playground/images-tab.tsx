import { useCallback, useMemo, useState } from 'react';
import { Chip, TextArea, TextField } from '../../design';
import { BODY_BYTES_MAX, formatBytes, readDataUrl } from './attach-files';
import { CodeButton } from './code-dialog';
import { useEstimate } from './estimate';
import { FileButton } from './file-button';
import { asArray, asRecord, asText, type JsonRecord } from './json';
import { MediaForm, type MediaTabProps } from './media-form';
import { OutcomeView } from './outcome-view';
import { useKeptText } from './use-kept-text';
import { useMediaRequest } from './use-media-request';

type GivenImage = { readonly name: string; readonly url: string };

const COUNT = /^(?:[1-9]|10)$/;

/** Images from words, and from words and images. */
export function ImagesTab(tab: MediaTabProps) {
  const [prompt, setPrompt] = useKeptText('image-prompt');
  const [count, setCount] = useState('1');
  const [size, setSize] = useState('');
  const [quality, setQuality] = useState('');
  const [images, setImages] = useState<readonly GivenImage[]>([]);
  const [error, setError] = useState<string>();
  const { outcome, run, stop } = useMediaRequest<readonly string[]>();
  const { chosen } = tab;
  const isReady = chosen !== undefined && prompt.trim() !== '' && COUNT.test(count.trim());
  const path = images.length === 0 ? 'images/generations' : 'images/edits';
  const body = useMemo(
    () => (isReady ? buildBody({ model: chosen, prompt, count, size, quality }, images) : undefined),
    [isReady, chosen, prompt, count, size, quality, images],
  );
  const estimated = useEstimate(useCallback(() => body, [body]));
  const attach = (files: FileList): void => {
    const { good, refused } = sortImages([...files], images);
    setError(refused);
    void Promise.all(good.map(async (file) => ({ name: file.name, url: await readDataUrl(file) }))).then((read) =>
      setImages((old) => [...old, ...read]),
    );
  };
  return (
    <div className="playground-media">
      <MediaForm
        {...tab}
        action={images.length === 0 ? 'Make the image' : 'Edit the image'}
        isReady={isReady}
        isRunning={outcome?.state === 'running'}
        estimated={estimated}
        onSend={() => body !== undefined && run({ model: String(chosen), path, body, read: readImages })}
        onStop={stop}
        more={
          <>
            <FileButton label="Images to edit" accept="image/png,image/jpeg,image/webp" onFiles={attach} />
            {body !== undefined && images.length === 0 && <CodeButton requests={() => [{ model: String(chosen), path, body }]} />}
          </>
        }
      >
        <TextArea label="Prompt" rows={3} value={prompt} onChange={(event) => setPrompt(event.target.value)} />
        <div className="row">
          {images.map(({ name }, index) => (
            <Chip key={index} text={name} onRemove={() => setImages(images.toSpliced(index, 1))} />
          ))}
        </div>
        {error !== undefined && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
        <div className="playground-parameters">
          <TextField
            label="How many"
            hint="1 to 10"
            value={count}
            error={COUNT.test(count.trim()) ? undefined : 'A whole number from 1 to 10.'}
            onChange={(event) => setCount(event.target.value)}
          />
          <TextField label="Size" hint="1024x1024, as the model has them" value={size} onChange={(event) => setSize(event.target.value)} />
          <TextField label="Quality" hint="auto, high, medium, low" value={quality} onChange={(event) => setQuality(event.target.value)} />
        </div>
      </MediaForm>
      <OutcomeView outcome={outcome} subject={count.trim() === '1' ? 'The image' : 'A set of images'}>
        {(made) => <Made images={made} prompt={prompt} />}
      </OutcomeView>
    </div>
  );
}

type Wish = { readonly model: string; readonly prompt: string; readonly count: string; readonly size: string; readonly quality: string };

function buildBody({ model, prompt, count, size, quality }: Wish, images: readonly GivenImage[]): JsonRecord {
  return {
    model,
    prompt,
    ...(count.trim() === '1' ? {} : { n: Number(count) }),
    ...(size.trim() === '' ? {} : { size: size.trim() }),
    ...(quality.trim() === '' ? {} : { quality: quality.trim() }),
    ...(images.length === 0 ? {} : { images: images.map(({ url }) => ({ image_url: url })) }),
  };
}

const IMAGES_MAX = 16;

function sortImages(
  files: readonly File[],
  old: readonly GivenImage[],
): { readonly good: readonly File[]; readonly refused: string | undefined } {
  const bytes = [...files.map(({ size }) => (size * 4) / 3), ...old.map(({ url }) => url.length)].reduce((sum, one) => sum + one, 0);
  if (bytes > BODY_BYTES_MAX) return { good: [], refused: `All images together may have ${formatBytes((BODY_BYTES_MAX * 3) / 4)}.` };
  if (files.length + old.length > IMAGES_MAX) return { good: [], refused: `At most ${IMAGES_MAX} images.` };
  const other = files.find(({ type }) => !type.startsWith('image/'));
  return other === undefined ? { good: files, refused: undefined } : { good: [], refused: `${other.name} is no image.` };
}

async function readImages(response: Response): Promise<readonly string[]> {
  const reply = asRecord(await response.json());
  return asArray(reply?.['data']).flatMap((item) => {
    const base64 = asText(asRecord(item)?.['b64_json']);
    return base64 === undefined ? (asText(asRecord(item)?.['url']) ?? []) : `data:${findType(base64)};base64,${base64}`;
  });
}

/** By its first bytes, as base64 has them. */
function findType(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  return base64.startsWith('UklGR') ? 'image/webp' : 'image/png';
}

function Made({ images, prompt }: { readonly images: readonly string[]; readonly prompt: string }) {
  return (
    <ul className="playground-images">
      {images.map((url, index) => (
        <li key={index} className="stack">
          {url.startsWith('data:') ? (
            <>
              <img src={url} alt={`${index + 1} of ${images.length}, made from: ${prompt}`} />
              <a href={url} download={`image-${index + 1}.${url.slice('data:image/'.length, url.indexOf(';'))}`}>
                Download
              </a>
            </>
          ) : (
            <a href={url} rel="noreferrer noopener" target="_blank">
              Image {index + 1}, at its maker’s
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
