import { createHash } from 'node:crypto';
import type { ReceivedForm } from '../forms/received-form';

export type DigestedRequest = {
  /** With its query. */
  readonly path: string;
  readonly body: Buffer;
  readonly form?: ReceivedForm | undefined;
};

/**
 * What a passport binds a request to, beside what is in it: where it is sent, and its body. Of a form the fields, and of its
 * files what they hold; undefined when a file has no digest. How a form is encoded does not matter.
 */
export function digestForwarded({ path, body, form }: DigestedRequest): string | undefined {
  const hash = createHash('sha256').update(path).update('\n');
  if (form === undefined) return hash.update(body).digest('base64url');
  const files = form.files.map(({ field, size, digest }) => [field, size, digest]);
  if (form.files.some(({ digest }) => digest === undefined)) return undefined;
  return hash.update(JSON.stringify([form.fields.map(({ name, value }) => [name, value]), files])).digest('base64url');
}
