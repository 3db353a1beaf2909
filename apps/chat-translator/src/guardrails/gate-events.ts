import type { ChatEvent, Usage } from '@weir/canonical';
import type { StreamGate } from './stream-gate';

type GatedEncoder = {
  readonly encode: (event: ChatEvent) => string;
  /** The in-band error for the caller of a refused stream. */
  readonly encodeRefusal: () => string;
  /** The refused stream reported its usage, or ended without one. */
  readonly settle: (usage: Usage | null) => void;
};

/** Encodes events of a stream as far as its gate lets them pass. */
export function gateEvents({ encode, encodeRefusal, settle }: GatedEncoder, gate: StreamGate | undefined): (event: ChatEvent) => string {
  if (gate === undefined) return encode;
  let isRefused = false;

  const passOver = (event: ChatEvent): string => {
    if (event.type === 'usage') settle(event.usage);
    if (event.type === 'end') settle(null);
    return '';
  };

  return (event) => {
    if (isRefused) return passOver(event);
    // The verdict is part of what is settled with the usage.
    const waited = event.type === 'usage' || event.type === 'end' ? gate.flush() : '';
    const passed = waited + gate.pass(encode(event));
    if (gate.refusal() === undefined) return passed;
    isRefused = true;
    return waited + gate.refuse(encodeRefusal);
  };
}
