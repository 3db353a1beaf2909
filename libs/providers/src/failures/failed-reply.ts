import type { MediaUsage, Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/** Reported usage of a failed reply: of a chat, or of pictures and sound. */
type ReportedUsage = { readonly chat: Usage } | { readonly media: MediaUsage };

/** A reply that failed although its status was a success. It carries the usage that the provider reported. */
export class FailedReply extends GatewayError {
  constructor(
    { code, message, details }: GatewayError,
    readonly reported: ReportedUsage,
  ) {
    super(code, message, details);
    this.name = 'FailedReply';
  }
}

/** Reads a reply; where it turns out to be a failure, the failure knows the usage that stands beside it. */
function readReported<Reply>(read: () => Reply, findReported: () => ReportedUsage | undefined): Reply {
  try {
    return read();
  } catch (error) {
    const reported = error instanceof GatewayError && !(error instanceof FailedReply) ? findReported() : undefined;
    throw reported === undefined ? error : new FailedReply(error as GatewayError, reported);
  }
}

/** The same for a chat reply and what `findUsage` reads of it. */
export function readReportedChat<Reply>(read: () => Reply, findUsage: () => Usage | null): Reply {
  return readReported(read, () => {
    const chat = findUsage();
    return chat === null ? undefined : { chat };
  });
}

/** The same for pictures and sound. */
export function readReportedMedia<Reply>(read: () => Reply, findUsage: () => MediaUsage | null): Reply {
  return readReported(read, () => {
    const media = findUsage();
    return media === null ? undefined : { media };
  });
}

/** The usage of a chat reply that failed; null where none was reported. */
export function chatUsageOf(error: unknown): Usage | null {
  return error instanceof FailedReply && 'chat' in error.reported ? error.reported.chat : null;
}

/** The usage of a request for pictures or sound that failed; null where none was reported. */
export function mediaUsageOf(error: unknown): MediaUsage | null {
  return error instanceof FailedReply && 'media' in error.reported ? error.reported.media : null;
}
