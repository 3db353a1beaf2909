/** Collects the text of events and numbers them over the whole stream. */
export type EventWriter = {
  /** `members` is the JSON text of the event's own members. */
  emit(type: string, members: string): void;
  /** The hot path: an event's text with everything but its number and its delta prepared by `prepareDelta`. */
  emitDelta(prepared: PreparedDelta, deltaJson: string): void;
  take(): string;
};

export type PreparedDelta = { readonly head: string; readonly middle: string; readonly tail: string };

export function prepareDelta(type: string, place: string, more = ''): PreparedDelta {
  return {
    head: `event: ${type}\ndata: {"type":"${type}","sequence_number":`,
    middle: `,${place},"delta":`,
    tail: `${more}}\n\n`,
  };
}

export function createEventWriter(): EventWriter {
  let out = '';
  let sequence = 0;

  function emit(type: string, members: string): void {
    out += `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence},${members}}\n\n`;
    sequence += 1;
  }

  function emitDelta(prepared: PreparedDelta, deltaJson: string): void {
    out += prepared.head + sequence + prepared.middle + deltaJson + prepared.tail;
    sequence += 1;
  }

  function take(): string {
    const taken = out;
    out = '';
    return taken;
  }

  return { emit, emitDelta, take };
}
