import type { IncomingMessage } from 'node:http';
import { createDiskQuota } from './disk-quota';
import { FIELD_BYTES_TOTAL_MAX, FormReception } from './form-reception';
import type { FormRules } from './form-rules';
import { prepareUploadDirectory } from './nameless-file';
import type { ReceivedForm } from './received-form';

export type FormReceiverOptions = {
  /** Where files are stored while their requests run. They have no names there, and are gone with this process. */
  readonly directory: string;
  readonly fileBytesMax: number;
  /** All uploads of this process together. */
  readonly diskBytesMax: number;
  /** Whether files are to have a digest. */
  readonly areDigested?: boolean;
};

export type FormReceiver = {
  /**
   * Receives a multipart body, its files on disk. Rejects, with nothing left there: `body_too_large` as soon as a limit of
   * size is passed (declared or real), `invalid_request` for what is malformed, cut off or breaks the rules of the
   * endpoint, `overloaded` when uploads of others fill the disk. The receiver of a form discards it.
   */
  receive(request: IncomingMessage, rules: FormRules): Promise<ReceivedForm>;
  /** Bytes on disk, or promised to uploads under way. */
  usedBytes(): number;
};

/** As many files as the largest form may bring. */
const FILES_MAX = 16;

/** Makes ready to receive forms: the directory is made, and cleared of what killed processes left. */
export function createFormReceiver({ directory, fileBytesMax, diskBytesMax, areDigested = false }: FormReceiverOptions): FormReceiver {
  prepareUploadDirectory(directory, Date.now());
  const quota = createDiskQuota(diskBytesMax);
  const bounds = { directory, quota, fileBytesMax, areDigested, bytesMax: FILES_MAX * fileBytesMax + FIELD_BYTES_TOTAL_MAX };
  return {
    receive: (request, rules) =>
      new Promise((resolve, reject) => {
        new FormReception({ request, rules }, bounds, { resolve, reject }).start();
      }),
    usedBytes: () => quota.used(),
  };
}
