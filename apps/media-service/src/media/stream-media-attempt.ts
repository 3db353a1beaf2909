import { openStream, writeReplyHead, writeStreamHead, type StreamConsumer } from '@weir/exchange';
import { dispatchMediaCall, type MediaCall, type MediaReply } from '@weir/providers';
import type { OpenAttempt } from '@weir/meter';
import { HEARTBEAT } from './encode-priced';
import type { MediaContext, MediaParts, OpenReply } from './media-modality';
import { runMediaAttempt, type AttemptPlan, type ReportedUse } from './run-media-attempt';

export type MediaConsumer = StreamConsumer & {
  /** Whether anything came that the caller can use. */
  isUnderWay(): boolean;
  /** The usage that the provider reported, should nothing have come but `error`. */
  reported?(error: unknown): ReportedUse | undefined;
};

export type MediaStream = AttemptPlan & {
  readonly call: MediaCall;
  /** What becomes of the reply; `headers` are those it came with. */
  readonly createConsumer: (attempt: OpenAttempt, headers: MediaReply['headers']) => MediaConsumer;
  /** When the caller leaves; absent: as the provider bills. */
  readonly onCancel?: 'abort' | 'drain';
  /** Absent: a stream of events. */
  readonly format?: { readonly heartbeat: string; readonly sendHead: () => void } | undefined;
};

/** Makes an attempt whose reply is passed on as it comes, buffered until it is under way. */
export function streamMediaAttempt<Asked>(context: MediaContext<Asked>, stream: MediaStream, parts: MediaParts): Promise<OpenReply> {
  const { request, place } = context;
  const { lane, call, createConsumer, onCancel = lane.provider.onCancel } = stream;
  const format = stream.format ?? { heartbeat: HEARTBEAT, sendHead: () => sendEventsHead(context, stream) };
  return runMediaAttempt(context, { ...stream }, async (attempt, report) => {
    const upstream = await dispatchMediaCall(lane, call, { ...parts, signal: request.signal, noteHead: (head) => place.noteReply(head) });
    place.noteFirstByte();
    const consumer = createConsumer(attempt, upstream.headers);
    const finish = await openStream(
      {
        consumer,
        heartbeat: format.heartbeat,
        isUnderWay: consumer.isUnderWay,
        // The failure comes out of here, and is settled there.
        drop: (error) => {
          const reported = consumer.reported?.(error);
          if (reported !== undefined) report(reported);
        },
      },
      {
        session: request,
        exchange: { lane: { provider: { onCancel } }, upstream, attempt, place },
        sendHead: format.sendHead,
        mayBeFollowed: true,
      },
      parts,
    );
    return { lane, send: finish };
  });
}

function sendEventsHead({ request, place }: MediaContext<unknown>, { lane }: MediaStream): void {
  writeReplyHead(request, lane, place.number - 1);
  writeStreamHead(request.response);
}
