import { z } from 'zod';

const patterns = z.array(z.string().min(1).max(256)).max(5000);

const fields = {
  name: z.string().min(1).max(200),
  auto_approve: z.boolean(),
  chat: patterns,
  embedding: patterns,
  image: patterns,
  transcription: patterns,
  speech: patterns,
};

/** Body of `POST /v1/manage/access-list`; a modality left out allows nothing. */
export const createAccessListBody = z.strictObject({
  name: fields.name,
  auto_approve: fields.auto_approve.default(false),
  chat: patterns.default([]),
  embedding: patterns.default([]),
  image: patterns.default([]),
  transcription: patterns.default([]),
  speech: patterns.default([]),
});

/** Body of `POST /v1/manage/access-list/preview`: patterns as a list would have them. */
export const previewAccessListBody = z.strictObject({
  chat: patterns.default([]),
  embedding: patterns.default([]),
  image: patterns.default([]),
  transcription: patterns.default([]),
  speech: patterns.default([]),
});

/** Body of `PATCH /v1/manage/access-list/{id}`: only included fields change, an included array replaces the stored one. */
export const updateAccessListBody = z.strictObject(fields).partial();
