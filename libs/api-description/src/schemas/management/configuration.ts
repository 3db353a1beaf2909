import { CONFIGURATION_KIND, CONFIGURATION_VERSION } from '@weir/contracts';
import { z } from 'zod';
import { nameReply } from '../named-schemas';

const change = z.object({
  field: z.string(),
  before: z.unknown().optional().describe('Absent where there was nothing. A secret is shown as words that say so.'),
  after: z.unknown().optional(),
});

const step = nameReply(
  'ConfigurationStep',
  z.object({
    action: z.enum(['create', 'update', 'delete', 'adopt']).describe('`adopt`: who looks after it changes, and nothing else.'),
    kind: z.enum([
      ...(['setting', 'member', 'policy', 'alias', 'access_list', 'group', 'group_member', 'key'] as const),
      ...(['guardrail', 'limit', 'alert', 'provider_credential'] as const),
    ]),
    name: z.string(),
    path: z.string().optional().describe('Where it stands in the document; absent for what is taken away.'),
    id: z.string().optional(),
    changes: z.array(change),
  }),
);

const secret = z.object({ kind: z.enum(['key', 'alert']), name: z.string(), id: z.string(), secret: z.string() });

export const configurationOutcome = nameReply(
  'ConfigurationOutcome',
  z.object({
    configuration: z.string(),
    summary: z.string().describe('`2 to create, 1 to update`, or `no changes`.'),
    steps: z.array(step),
    secrets: z
      .array(secret)
      .describe('Values of new keys, and what new webhooks are signed with: this once, and never again. Empty in a preview.'),
    notes: z.array(z.string()).describe('What could not be compared, or is left to do.'),
  }),
);

export const exportedConfiguration = nameReply(
  'ExportedConfiguration',
  z.looseObject({
    apiVersion: z.literal(CONFIGURATION_VERSION),
    kind: z.literal(CONFIGURATION_KIND),
    metadata: z.object({ name: z.string() }),
    settings: z.looseObject({}),
  }),
  'A configuration document, as `PUT /v1/manage/configuration` takes it. What stands for a secret names a variable.',
);
