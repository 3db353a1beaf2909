import { createOriginalBody, indexMembers, replaceMember, type MemberSpan } from '@weir/canonical';

const USAGE = 'usage';

/** Reads where the usage of a reply stands in its text, valid JSON. Returns undefined when that is no object. */
export function readReplyText(text: string): ReplyText | undefined {
  const spans = indexMembers(text, USAGE);
  return spans === undefined ? undefined : new ReplyText(text, spans);
}

/** The text of a whole reply, of which one member is read and written. Where its other members stand is not looked up. */
export class ReplyText {
  constructor(
    readonly text: string,
    private readonly spans: readonly MemberSpan[],
  ) {}

  /** The last one, as JSON.parse reads it. */
  get usage(): string | undefined {
    const span = this.spans.at(-1);
    return span === undefined ? undefined : this.text.slice(span.valueStart, span.valueEnd);
  }

  /** Replaces the usage where it stands once; otherwise as any member is written into a body. */
  withUsage(value: string): string {
    const { text, spans } = this;
    const [span] = spans;
    if (span !== undefined && spans.length === 1) return text.slice(0, span.valueStart) + value + text.slice(span.valueEnd);
    const body = createOriginalBody(text);
    return body === undefined ? text : replaceMember(body, USAGE, value);
  }
}
