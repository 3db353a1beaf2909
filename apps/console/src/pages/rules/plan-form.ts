import type { FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import type { PlanEndpoint } from './rules-search';
import type { Modality } from './rules-queries';

export type PlanForm = {
  readonly endpoint: PlanEndpoint;
  /** Empty: the key of this session. */
  readonly key: string;
  readonly model: string;
  readonly text: string;
  /** Of the reply, in tokens; of a recording, in seconds. */
  readonly length: string;
  readonly user: string;
  /** One on a line: `name: value`. */
  readonly headers: string;
};

export const EMPTY_PLAN: PlanForm = {
  ...{ endpoint: 'chat-completions', key: '', model: '', text: 'Hello!', length: '500', user: '', headers: '' },
};

type EndpointInfo = { readonly label: string; readonly modality: Modality; readonly text: string | null; readonly length: string | null };

const TOKENS = 'max_tokens';

/** What each endpoint calls the text and its limit. */
const ENDPOINTS: Readonly<Record<PlanEndpoint, EndpointInfo>> = {
  'chat-completions': { label: 'Chat completions', modality: 'chat', text: null, length: TOKENS },
  responses: { label: 'Responses', modality: 'chat', text: 'input', length: 'max_output_tokens' },
  messages: { label: 'Messages', modality: 'chat', text: null, length: TOKENS },
  completions: { label: 'Completions', modality: 'chat', text: 'prompt', length: TOKENS },
  embeddings: { label: 'Embeddings', modality: 'embedding', text: 'input', length: null },
  'image-generations': { label: 'Images', modality: 'image', text: 'prompt', length: null },
  'image-edits': { label: 'Image edits', modality: 'image', text: 'prompt', length: null },
  speech: { label: 'Speech', modality: 'speech', text: 'input', length: null },
  transcriptions: { label: 'Transcription', modality: 'transcription', text: '', length: 'seconds' },
  translations: { label: 'Translation of speech', modality: 'transcription', text: '', length: 'seconds' },
};

export function getEndpoint(endpoint: PlanEndpoint): EndpointInfo {
  return ENDPOINTS[endpoint];
}

export function toPlanBody(form: PlanForm): Schemas['PlanRequest'] {
  const { text, length } = ENDPOINTS[form.endpoint];
  const said = text === null ? { messages: [{ role: 'user', content: form.text }] } : text === '' ? {} : { [text]: form.text };
  const user = form.user.trim();
  return {
    endpoint: form.endpoint,
    ...(form.key === '' ? {} : { api_key_id: form.key }),
    headers: readHeaders(form.headers).headers,
    body: {
      ...(form.model.trim() === '' ? {} : { model: form.model.trim() }),
      ...said,
      ...(length === null || form.length.trim() === '' ? {} : { [length]: Number(form.length) }),
      ...(user === '' ? {} : { weir: { user_id: user } }),
    },
  };
}

export function findPlanErrors(form: PlanForm): FieldErrors {
  const { length } = ENDPOINTS[form.endpoint];
  const { wrong } = readHeaders(form.headers);
  const needsModel = ENDPOINTS[form.endpoint].modality !== 'chat';
  return {
    model: form.model.trim() === '' && needsModel ? 'Choose a model.' : undefined,
    length: length !== null && !/^\d{0,9}$/.test(form.length.trim()) ? 'Write a whole number.' : undefined,
    headers: wrong === undefined ? undefined : `“${wrong}” is no header: write name: value.`,
  };
}

const HEADER = /^([A-Za-z0-9-]{1,128})\s*:\s*(.*)$/;

export function readHeaders(text: string): { readonly headers: Record<string, string>; readonly wrong: string | undefined } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const read = lines.map((line) => HEADER.exec(line));
  const headers = Object.fromEntries(read.flatMap((found) => (found === null ? [] : [[(found[1] ?? '').toLowerCase(), found[2] ?? '']])));
  return { headers, wrong: lines.find((_, index) => read[index] === null) };
}
