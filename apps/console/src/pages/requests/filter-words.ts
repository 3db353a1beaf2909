import type { RequestFilter } from './requests-search';

/** How a filter is named, and how its value is asked for. */
export type FilterWords = {
  readonly label: string;
  readonly kind: 'choice' | 'text' | 'key' | 'group' | 'member' | 'model' | 'instant';
  readonly hint?: string;
  /** What is wrong with a value that has not the right shape. */
  readonly error?: string;
};

const USD = { hint: 'USD, such as 0.05', error: 'Write an amount of USD such as 0.05.' };
const MILLISECONDS = { hint: 'Milliseconds, such as 1500', error: 'Write a whole number of milliseconds.' };
const MOMENT = { error: 'Choose a day and a time.' };

export const FILTERS: Readonly<Record<RequestFilter, FilterWords>> = {
  status: { label: 'Status', kind: 'choice' },
  model: { label: 'Model used', kind: 'model' },
  model_requested: { label: 'Model requested', kind: 'text', hint: 'As it was asked for: a model, an alias or policy/<name>' },
  provider: { label: 'Provider', kind: 'text' },
  api_key_id: { label: 'Key', kind: 'key' },
  group_id: { label: 'Group', kind: 'group' },
  user_id: { label: 'Member', kind: 'member' },
  end_user: { label: 'End user', kind: 'text', hint: 'Whom the caller named' },
  endpoint: { label: 'Endpoint', kind: 'text', hint: 'Such as chat-completions or messages' },
  modality: { label: 'Modality', kind: 'choice' },
  label: { label: 'Label', kind: 'text', hint: 'name=value, such as team=search', error: 'Write name=value.' },
  id: { label: 'Request id', kind: 'text', hint: 'The id or its beginning', error: 'An id has letters, digits and . _ : - only.' },
  min_cost: { label: 'Cost at least', kind: 'text', ...USD },
  max_cost: { label: 'Cost at most', kind: 'text', ...USD },
  min_ms: { label: 'Duration at least', kind: 'text', ...MILLISECONDS },
  max_ms: { label: 'Duration at most', kind: 'text', ...MILLISECONDS },
  start: { label: 'From', kind: 'instant', ...MOMENT },
  end: { label: 'Until', kind: 'instant', ...MOMENT },
};

type Kind = 'normal' | 'good' | 'warn' | 'bad';

const STATUSES: Readonly<Record<string, readonly [text: string, kind: Kind, about: string]>> = {
  ok: ['OK', 'good', 'Answered in full.'],
  client_closed: ['Caller left', 'warn', 'The caller closed the connection before the end; what was used until then is charged.'],
  upstream_error: ['Provider error', 'bad', 'The provider refused or failed before a byte of the reply came.'],
  upstream_cut: ['Cut off', 'bad', 'The provider stopped in the middle of its reply.'],
  timeout: ['Timed out', 'bad', 'The provider took too long.'],
  refused_midstream: ['Refused midway', 'bad', 'The reply was refused while it was being streamed.'],
  aborted_crash: ['Crashed', 'bad', 'The process that carried it ended in the middle.'],
};

export function describeStatus(status: string): { readonly text: string; readonly kind: Kind; readonly about: string } {
  const [text, kind, about] = STATUSES[status] ?? [status, 'bad', ''];
  return { text, kind, about };
}

export const STATUS_OPTIONS = [
  { value: 'error', label: 'Every error' },
  ...Object.entries(STATUSES).map(([value, [label]]) => ({ value, label })),
];

export const MODALITY_OPTIONS = ['chat', 'embedding', 'image', 'speech', 'transcription'].map((value) => ({ value, label: value }));

const VERDICTS: Readonly<Record<string, readonly [text: string, kind: Kind, about: string]>> = {
  passed: ['Passed', 'good', 'Looked at; nothing was found.'],
  flagged: ['Flagged', 'warn', 'Something was found and, by the rules, let through.'],
  masked: ['Masked', 'warn', 'Something was found and replaced before it went on.'],
  not_scanned: ['Not scanned', 'normal', 'A guardrail applied, and nothing of this request was for it to look at.'],
  scan_error: ['Scan failed', 'bad', 'A guardrail applied and could not be run to its end.'],
};

export function describeVerdict(verdict: string | null): { readonly text: string; readonly kind: Kind; readonly about: string } {
  if (verdict === null) return { text: 'None', kind: 'normal', about: 'No guardrail applied to this request.' };
  const [text, kind, about] = VERDICTS[verdict] ?? [verdict, 'normal', ''];
  return { text, kind, about };
}
