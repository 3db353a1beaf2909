import { z } from 'zod';
import { nameReply, nameRequest } from '../named-schemas';

/** Form of `POST /v1/files`. */
export const fileForm = nameRequest(
  'FileForm',
  z.looseObject({
    file: z.string().meta({ contentMediaType: 'application/octet-stream' }).describe('The file.'),
    purpose: z.string().optional().describe('What the file is for; stored and returned, without any other effect.'),
  }),
);

export const storedFile = nameReply(
  'File',
  z.looseObject({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int().min(0),
    created_at: z.int(),
    filename: z.string(),
    purpose: z.string().nullish(),
    expires_at: z.int().nullish(),
  }),
);
export const storedFiles = nameReply('Files', z.looseObject({ object: z.literal('list'), data: z.array(storedFile) }));
export const deletedFile = nameReply('DeletedFile', z.looseObject({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }));
