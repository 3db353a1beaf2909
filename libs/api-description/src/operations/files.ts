import { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { deletedFile, fileForm, storedFile, storedFiles } from '../schemas/gateway/files';

const params = { id: EXAMPLE_IDS.file };

export const FILE_OPERATIONS: readonly Operation[] = [
  {
    id: 'create-file',
    tag: 'Files',
    summary: 'Keep a file',
    about: 'For later requests that name it by id, such as edits of images.',
    form: fileForm,
    responses: { 200: { about: 'The file as it is kept.', json: storedFile } },
    errors: ['conflict'],
    examples: [{ summary: 'A picture', form: { file: 'picture.png', purpose: 'user_data' }, status: 200 }],
  },
  {
    id: 'list-files',
    tag: 'Files',
    summary: 'List files',
    about: 'Newest first unless `order` says otherwise; `after` is the id of the last file of the page before.',
    query: z.strictObject({
      purpose: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
      order: z.enum(['asc', 'desc']).default('desc'),
      after: z.string().optional(),
    }),
    responses: { 200: { about: 'The files.', json: storedFiles } },
    errors: ['invalid_request'],
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'read-file',
    tag: 'Files',
    summary: 'What is kept of a file',
    responses: { 200: { about: 'The file without its bytes.', json: storedFile } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'read-file-content',
    tag: 'Files',
    summary: 'The bytes of a file',
    about: 'Needs a key, except at the signed address of a result that was requested as `url`, which is good for an hour.',
    query: z.strictObject({
      expires: z.string().optional().describe('Of a signed address: until when it is good, in seconds since 1970.'),
      signature: z.string().optional().describe('Of a signed address.'),
    }),
    responses: { 200: { about: 'The bytes, with the media type that was detected in them.', media: { '*/*': 'The bytes.' } } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'delete-file',
    tag: 'Files',
    summary: 'Delete a file',
    responses: { 200: { about: 'Deleted.', json: deletedFile } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
];
