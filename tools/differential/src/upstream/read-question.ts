import type { Question } from './reply';

type Asked = { readonly stream?: unknown; readonly model?: unknown; readonly stream_options?: { readonly include_usage?: unknown } | null };

/** What replies depend on; a body that is no JSON asks for a whole reply. */
export function readQuestion(path: string, body: Buffer): Question {
  const asked = parse(body);
  return {
    path: path.split('?')[0] ?? '',
    isStream: asked.stream === true || path.includes('alt=sse'),
    asksUsage: asked.stream_options?.include_usage === true,
    model: typeof asked.model === 'string' ? asked.model : 'unnamed',
    body,
  };
}

function parse(body: Buffer): Asked {
  try {
    const value = JSON.parse(body.toString()) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // A form, or nothing: both are asked for as a whole.
    return {};
  }
}
