import { checkPermission } from '@weir/access';
import { readFileLink, type Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { isForm, readQuery, receiveBody, type HotHandler, type ReceivedForm, type RequestScope } from '@weir/http-server';
import type { IncomingMessage } from 'node:http';
import { authenticate, type AdmissionParts } from '../admit/admit-request';
import { checkMediaType } from '../admit/check-media-type';
import { checkRates } from '../admit/check-rates';
import { describeCaller } from '../admit/describe-caller';
import { fingerprintForm, readForm } from '../admit/read-form';
import type { ForwardToService } from '../forward/forward-in-process';
import type { ArrivedRequest } from '../request/inbound-request';

export type FileHandlerParts = Pick<
  AdmissionParts,
  'authenticator' | 'rates' | 'forms' | 'bodyBytesMax' | 'deadlineMs' | 'fileLinkSecret' | 'now' | 'replays'
>;

/**
 * Admits requests about kept files, which need no model: who calls decides. Workers get a passport without attempts. An
 * address that the gateway signed itself is as good as the key of whose file it is, for reading that file until its time is over.
 */
export function createFileHandler(parts: FileHandlerParts, forward: ForwardToService): HotHandler {
  return async (request, response, scope) => {
    const passport = stampPassport(scope, parts, await findCaller({ request, response, scope }, parts));
    const received = await receiveBody(request, scope.endpoint, parts);
    const { params = {}, notes } = scope;
    try {
      if (received.form !== undefined && (await isAnswered({ request, response, scope }, { form: received.form, passport }, parts))) return;
      await forward(scope.endpoint.service, {
        passport,
        ...received,
        params,
        query: readQuery(request),
        headers: request.headers,
        response,
        notes,
      });
    } finally {
      await received.form?.discard();
    }
  };
}

type Upload = { readonly form: ReceivedForm; readonly passport: Passport };

/** Whether the same upload was made before under the same Idempotency-Key: then its answer has been sent. */
async function isAnswered(
  { request, response, scope }: ArrivedRequest,
  { form, passport }: Upload,
  { replays }: FileHandlerParts,
): Promise<boolean> {
  const { organizationId, apiKeyId } = passport.caller;
  const isReplayed = await replays.answerOnce({
    organizationId,
    apiKeyId,
    requestId: scope.id,
    endpointId: scope.endpoint.id,
    headers: request.headers,
    fingerprint: () => fingerprintForm(readForm(form).form),
    // An organization with zero retention cannot upload.
    isZeroRetention: false,
    response,
  });
  if (isReplayed) scope.notes['isReplayed'] = true;
  return isReplayed;
}

async function findCaller({ request, response, scope }: ArrivedRequest, parts: FileHandlerParts): Promise<Passport['caller']> {
  const linked = findLinkOwner(request, scope, parts);
  if (linked !== undefined) return linked;
  const principal = await authenticate(request, scope.endpoint, parts);
  const { key } = principal;
  scope.notes['organizationId'] = key.organizationId;
  scope.notes['apiKeyId'] = key.apiKeyId;
  scope.notes['apiKeyName'] = key.name;
  checkPermission(principal, scope.endpoint.permission);
  await checkRates(principal, response, parts.rates);
  checkMediaType(request.headers, scope.endpoint.body);
  if (scope.endpoint.body === 'form' && isForm(request.headers) && key.organization.isZeroDataRetention) {
    throw new GatewayError(
      'data_policy',
      'This organization has nothing kept of what it sends: files can only be sent with the request they are for.',
    );
  }
  return describeCaller(principal);
}

function findLinkOwner(
  request: IncomingMessage,
  { endpoint, params }: RequestScope,
  parts: FileHandlerParts,
): Passport['caller'] | undefined {
  const query = new URLSearchParams(readQuery(request));
  if (endpoint.id !== 'read-file-content' || !query.has('signature')) return undefined;
  const organizationId = readFileLink(params?.['id'] ?? '', query, { secret: parts.fileLinkSecret, nowMs: parts.now() });
  if (organizationId === undefined) throw new GatewayError('permission_denied', 'This address of a file is not valid, or not any more.');
  return { organizationId, apiKeyId: '', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null };
}

function stampPassport(
  { id, endpoint, startedAtMs }: RequestScope,
  { deadlineMs }: FileHandlerParts,
  caller: Passport['caller'],
): Passport {
  return {
    version: 1,
    requestId: id,
    endpointId: endpoint.id,
    admittedAtMs: startedAtMs,
    deadlineMs: startedAtMs + deadlineMs,
    caller,
    modelRequested: '',
    stream: false,
    attempts: [],
    originTitle: null,
    endUserId: null,
    traceId: null,
    extra: {},
    hold: null,
    isStrict: false,
  };
}
