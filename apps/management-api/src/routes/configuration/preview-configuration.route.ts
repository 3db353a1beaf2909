import { z } from 'zod';
import { readConfigurationBody } from '../../configuration/read-configuration-body';
import { serveApplication } from '../../configuration/serve-application';
import { defineRoute } from '../../route/route';

/** Everything is tried as it would be applied, and taken back. */
export const previewConfiguration = defineRoute({
  id: 'preview-configuration',
  body: z.looseObject({}),
  takesParameters: true,
  readBody: readConfigurationBody,
  run: (call, parts) => serveApplication(call, parts, true),
});
