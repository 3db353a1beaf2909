import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';

/** Each pattern with a star is tried on every model; names without one are looked up. */
const GLOBS_MAX = 500;

/** What a list lets in of one modality. */
export const modelPatterns = z
  .array(z.string().min(1).max(256))
  .max(5000)
  .refine(...bounded({ globsMax: GLOBS_MAX }));

const fields = {
  name: z.string().min(1).max(200),
  auto_approve: z.boolean(),
  chat: modelPatterns,
  embedding: modelPatterns,
  image: modelPatterns,
  transcription: modelPatterns,
  speech: modelPatterns,
};

/** Body of `POST /v1/manage/access-list`; a modality left out allows nothing. */
export const createAccessListBody = z.strictObject({
  name: fields.name,
  auto_approve: fields.auto_approve.default(false),
  chat: modelPatterns.default([]),
  embedding: modelPatterns.default([]),
  image: modelPatterns.default([]),
  transcription: modelPatterns.default([]),
  speech: modelPatterns.default([]),
});

/** Body of `POST /v1/manage/access-list/preview`: patterns as a list would have them. */
export const previewAccessListBody = z.strictObject({
  chat: modelPatterns.default([]),
  embedding: modelPatterns.default([]),
  image: modelPatterns.default([]),
  transcription: modelPatterns.default([]),
  speech: modelPatterns.default([]),
});

/** Body of `PATCH /v1/manage/access-list/{id}`: only included fields change, an included array replaces the stored one. */
export const updateAccessListBody = z.strictObject(fields).partial();
