import { z } from 'zod';
import { readConfigurationBody } from '../../configuration/read-configuration-body';
import { serveApplication } from '../../configuration/serve-application';
import { defineRoute } from '../../route/route';

/** Makes the organization what the document says: all of it or nothing. */
export const applyConfiguration = defineRoute({
  id: 'apply-configuration',
  // Checked as a whole, so that one reply names everything that is wrong.
  body: z.looseObject({}),
  takesParameters: true,
  readBody: readConfigurationBody,
  run: (call, parts) => serveApplication(call, parts, false),
});
