/** The object in the data of an event; undefined for anything else, which is not ours to judge and passes as it came. */
export function parseFrameData<Event extends object>(data: string): Event | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Event) : undefined;
  } catch {
    return undefined;
  }
}
