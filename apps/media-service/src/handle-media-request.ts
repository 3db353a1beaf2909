import { getEndpoint } from '@weir/contracts';
import { RequestRun } from '@weir/exchange';
import type { WorkerHandler } from '@weir/http-server';
import { invariant } from '@weir/errors';
import { IMAGES } from './images/image-modality';
import { SPEECH } from './speech/speech-modality';
import { TRANSCRIPTION } from './transcription/transcription-modality';
import type { MediaModality, MediaParts } from './media/media-modality';

type ModalityHandler = (request: RequestRun, parts: MediaParts) => Promise<void>;

const HANDLERS: Readonly<Record<string, ModalityHandler>> = {
  image: createModalityHandler(IMAGES),
  speech: createModalityHandler(SPEECH),
  transcription: createModalityHandler(TRANSCRIPTION),
};

/** The life of a request for images, speech or a transcription, of which `createModalityHandler` has the steps. */
export function createMediaHandler(parts: MediaParts): WorkerHandler {
  const serve = async (request: RequestRun): Promise<void> => {
    request.checkMetering();
    const { endpointId } = request.forwarded.passport;
    const handle = HANDLERS[getEndpoint(endpointId).modality ?? ''];
    invariant(handle !== undefined, `endpoint ${endpointId} is about media`);
    await handle(request, parts);
  };
  return (forwarded) => new RequestRun(forwarded, parts).serve(serve);
}

/** Reads the request, runs attempts until a reply begins, and sends that; attempts settle on the way. */
function createModalityHandler<Asked extends object>(modality: MediaModality<Asked>): ModalityHandler {
  return async (request, parts) => {
    const { forwarded, charges } = request;
    const { log } = parts;
    const asked = await parts.guardRequest(await modality.decode(request, parts), request);
    const { guard } = request;
    const { opened } = await parts.runner.run(
      forwarded.passport,
      (place) => modality.open({ request, asked, place, charges, guard, log }, parts),
      request,
    );
    await opened.send();
  };
}
