import type { SseFrame } from './parse-sse';

/** A parsed event; checks read its members freely. */
export type EventData = { readonly [member: string]: unknown };

export function readEvent(frame: SseFrame, problems: string[]): EventData {
  try {
    const value: unknown = JSON.parse(frame.data);
    if (typeof value === 'object' && value !== null) return value as EventData;
  } catch {
    // Reported below, together with JSON that is no object.
  }
  problems.push(`data is no JSON object: ${frame.data.slice(0, 80)}`);
  return {};
}

/** A member that should be an object; an empty one otherwise. */
export function memberOf(data: EventData, name: string): EventData {
  const value = data[name];
  return typeof value === 'object' && value !== null ? (value as EventData) : {};
}
