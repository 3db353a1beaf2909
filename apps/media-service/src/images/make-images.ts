import type { ImageReply, ImageRequest } from '@weir/canonical';
import { ClientGone, describeFailure, OK, runTogether, sendJson, writeReplyHead, writeStreamHead, writeUsageSource } from '@weir/exchange';
import { askForMedia, type MediaCall, type MediaReply } from '@weir/providers';
import { createCancellation } from '@weir/upstream-http';
import type { OpenAttempt } from '@weir/meter';
import { closeMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import type { MediaContext, MediaParts, OpenReply } from '../media/media-modality';
import { readReply } from '../media/read-reply';
import { runMediaAttempt, type ReportedUse } from '../media/run-media-attempt';
import { encodeCompleted } from './encode-image-events';
import { encodeImageReply, type ShownImages } from './encode-image-reply';
import { fitImages } from './fit-images';
import { chooseImageUnit, completeUsage, expectImages, sumUsage } from './image-usage';
import type { ImagePlan } from './plan-images';
import { screenRevisions } from './screen-revisions';

/** Calls of one request that may be under way together. */
const CALLS_AT_ONCE = 4;
const MS_PER_SECOND = 1000;

type Context = MediaContext<ImageRequest>;

/** Has the pictures made, whole, in as many calls as it takes: one usage event for all of them. */
export async function makeImages(context: Context, plan: ImagePlan, parts: MediaParts): Promise<OpenReply> {
  const { request, asked, place } = context;
  const { attempt } = place;
  const expected = { expected: expectImages(asked, attempt), imageUnit: chooseImageUnit(attempt, asked, {}) };
  const made = await runMediaAttempt(context, { lane: plan, ...expected }, (attempt, report) =>
    makeAll(context, { plan, attempt, report }, parts),
  );
  return {
    lane: plan,
    send: async () => {
      await parts.whenDurable();
      // An address does not last as long as copies of the reply might.
      if (made.shown.images.some(({ url }) => url !== undefined)) request.response.setHeader('cache-control', 'no-store');
      writeReplyHead(request, plan, place.number - 1);
      if (asked.stream) sendAsStream(context, made);
      else {
        writeUsageSource(request.response, made.priced.usage);
        sendJson(request.response, encodeImageReply(made.shown, made.priced), made.priced.costUsd);
      }
    },
  };
}

type Made = { readonly shown: ShownImages; readonly priced: PricedMedia };

type Making = { readonly plan: ImagePlan; readonly attempt: OpenAttempt; readonly report: (reported: ReportedUse) => void };

async function makeAll(context: Context, { plan, attempt, report }: Making, parts: MediaParts): Promise<Made> {
  const { asked, place, request } = context;
  const received: ImageReply[] = [];
  const replies = await sendCalls(context, plan, {
    ...parts,
    onReply: (reply) => {
      received.push(reply);
      report(describeUse(joinReplies(received), context, plan));
    },
  });
  attempt.noteFirstByte();
  place.noteFirstByte();
  const reply = await screenRevisions(joinReplies(replies), { guard: context.guard, response: request.response });
  const { images, format } = await fitImages(reply, asked, { request, parts });
  const use = describeUse(reply, context, plan);
  const facts = { ...reply.facts, ...(format === null ? {} : { outputFormat: format }) };
  const refusal = context.guard?.refusal();
  const outcome = refusal === undefined ? OK : describeFailure(refusal);
  const priced = closeMediaAttempt(attempt, context, { ...use, outcome, imageUnit: chooseImageUnit(place.attempt, asked, facts) });
  if (refusal !== undefined) throw refusal;
  const createdSeconds = reply.created ?? Math.floor(parts.now() / MS_PER_SECOND);
  return { shown: { createdSeconds, images, facts, unmapped: reply.unmapped }, priced };
}

/** The same for a part of the pictures, while the others are not there. */
function describeUse({ usage, images, facts }: ImageReply, { asked, place: { attempt } }: Context, { target }: ImagePlan): ReportedUse {
  const { maxOutputTokens } = target.model;
  const use = completeUsage(usage, asked, { attempt, images: images.length, maxOutputTokens });
  return { ...use, imageUnit: chooseImageUnit(attempt, asked, facts) };
}

type CallParts = Pick<MediaParts, 'headersTimeoutMs' | 'idleTimeoutMs'> & {
  /** Called with each reply as it comes; with one without a picture, too, where its usage was reported. */
  readonly onReply: (reply: ImageReply) => void;
};

/** Sends every call; resolves to the replies in their order. The first failure stops the others. */
async function sendCalls({ request, place }: Context, plan: ImagePlan, parts: CallParts): Promise<ImageReply[]> {
  const { writeCall, requests } = plan;
  const failed = createCancellation();
  request.signal.addEventListener('abort', () => failed.abort(request.signal.reason), { once: true });
  const noteHead: typeof place.noteReply = (head) => place.noteReply(head);
  const options = { headersTimeoutMs: parts.headersTimeoutMs, idleTimeoutMs: parts.idleTimeoutMs, signal: failed.signal, noteHead };
  const follow = (call: MediaCall): Promise<MediaReply> => askForMedia(plan, call, options);
  return runTogether({
    count: requests.length,
    atOnce: CALLS_AT_ONCE,
    stop: (error) => failed.abort(error),
    work: async (index) => {
      if (index > 0 && request.isClientGone()) throw new ClientGone();
      const reply = await follow(await writeCall(index));
      const sent = { request: requests[index] as ImageRequest, target: plan.target, follow };
      const made = await readReply(
        () => plan.images.decodeReply(reply, sent),
        (usage) => parts.onReply({ created: null, images: [], usage, facts: {} }),
      );
      parts.onReply(made);
      return made;
    },
  });
}

function joinReplies(replies: readonly ImageReply[]): ImageReply {
  const [first] = replies;
  return {
    ...(first as ImageReply),
    images: replies.flatMap(({ images }) => images),
    usage: sumUsage(replies.map(({ usage }) => usage)),
  };
}

/** A provider without streams: the caller gets the pictures as events all the same, once all of them are there. */
function sendAsStream({ request }: Context, { shown: { images, createdSeconds, facts }, priced }: Made): void {
  const { response, forwarded } = request;
  writeStreamHead(response);
  const events = images.map(({ base64, url }, index) =>
    encodeCompleted(forwarded.passport.endpointId, {
      base64,
      url,
      createdSeconds,
      facts,
      priced: index === images.length - 1 ? priced : undefined,
    }),
  );
  response.end(events.join(''));
}
