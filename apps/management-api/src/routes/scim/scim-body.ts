import { z } from 'zod';

/** Names of SCIM are compared without case, so a schema of ours cannot know them: they are looked up in those of SCIM. */
export const scimBody = z.record(z.string(), z.unknown());
