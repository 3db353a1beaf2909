import type { EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FormReceiver } from '../forms/create-form-receiver';
import { findFormRules } from '../forms/form-rules';
import type { ReceivedForm } from '../forms/received-form';
import { readBody } from './read-body';

export type ReceivedBody = {
  /** Empty where a form came, or nothing was to come. */
  readonly body: Buffer;
  /** Its receiver discards it. */
  readonly form?: ReceivedForm;
};

export type BodyParts = {
  readonly bodyBytesMax: number;
  /** Absent where no endpoint takes forms. */
  readonly forms?: Pick<FormReceiver, 'receive'>;
};

const NOTHING = Buffer.alloc(0);
const FORM_TYPE = /^multipart\/form-data\s*(?:;|$)/i;

export function isForm(headers: IncomingHttpHeaders): boolean {
  return FORM_TYPE.test(headers['content-type'] ?? '');
}

/** Receives the body of a request as its endpoint takes it: a form with its files on disk, anything else whole in memory. */
export async function receiveBody(
  request: IncomingMessage,
  { id, body }: Pick<EndpointRow, 'id' | 'body'>,
  { bodyBytesMax, forms }: BodyParts,
): Promise<ReceivedBody> {
  if (body === 'none') return { body: NOTHING };
  if (body === 'json' || !isForm(request.headers)) return { body: await readBody(request, bodyBytesMax) };
  if (forms === undefined)
    throw new GatewayError('unsupported_media_type', 'Forms are not accepted here. Send "Content-Type: application/json".');
  return { body: NOTHING, form: await forms.receive(request, findFormRules(id)) };
}
