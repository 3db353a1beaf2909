import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';
import { createAccessListBody } from './access-lists';
import { createAlertBody } from './alerts';
import { createAliasBody } from './aliases';
import { createApiKeyBody, monthlyLimit, setLabelsBody } from './api-keys';
import { addGroupMemberBody, createGroupBody, setRateLimitBody } from './groups';
import { guardrailBody } from './guardrails';
import { limitBody } from './limits';
import { addMemberBody } from './members';
import { organizationSettings } from './organization';
import { createPolicyBody } from './policies';
import { createProviderCredentialBody } from './provider-credentials';

/** What a configuration may hold of each kind. */
const OBJECTS_MAX = 1000;

/** All guardrails as JSON text: an organization has an eighth of it in force at most. */
const GUARDRAILS_LENGTH_MAX = 65_536;

/** How the document of a configuration calls what other bodies have as an id. */
const NAME_FIELDS = {
  api_key_id: 'key',
  group_id: 'group',
  member_id: 'member',
  access_list_id: 'access_list',
  limit_id: 'limit',
} as const;
type IdField = keyof typeof NAME_FIELDS;

const name = z.string().trim().min(1).max(200);
/** As a member has it: those that are there may have what no one could be invited by, as the first administrator of an installation. */
const email = z
  .string()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address');

/** Any id: what is checked with it is the rest of a body. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** A body of the interface with names where it has ids, and whatever it asks for beyond the shapes of its fields. */
function withNames(body: z.ZodObject, more: Shape = {}): z.ZodObject {
  const ids = (Object.keys(NAME_FIELDS) as IdField[]).filter((id) => id in body.shape);
  const kept = Object.entries(body.shape).filter(([field]) => !(field in NAME_FIELDS));
  const named = ids.map((id) => {
    const text = id === 'member_id' ? email.toLowerCase() : name;
    return [NAME_FIELDS[id], isNullable(body.shape[id]) ? text.nullish() : text.optional()] as const;
  });
  return z.strictObject(Object.fromEntries<z.core.$ZodType>([...kept, ...named, ...Object.entries(more)])).superRefine((value, context) => {
    const given = value as Readonly<Record<string, unknown>>;
    const asked: Record<string, unknown> = Object.fromEntries(kept.map(([field]) => [field, hideReference(given[field])]));
    for (const id of ids) if (typeof given[NAME_FIELDS[id]] === 'string') asked[id] = SOME_ID;
    for (const issue of body.safeParse(asked).error?.issues ?? []) {
      // The shapes are checked already, by the fields above.
      if (issue.code !== 'custom') continue;
      const path = issue.path.map((part) => NAME_FIELDS[part as IdField] ?? part);
      context.addIssue({ code: 'custom', path, message: renameFields(issue.message) });
    }
  });
}

/** An address that is kept elsewhere is as good as any. */
function hideReference(value: unknown): unknown {
  return configurationSecret.safeParse(value).success ? 'https://example.com' : value;
}

function isNullable(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(null).success;
}

function renameFields(message: string): string {
  return Object.entries(NAME_FIELDS).reduce((text, [id, field]) => text.replaceAll(`\`${id}\``, `\`${field}\``), message);
}

/** Where a secret is kept. `value` is what `weir apply` puts in its place when it sends the document. */
export const configurationSecret = z
  .strictObject({
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of a variable')
      .optional(),
    file: z.string().min(1).max(1000).optional(),
    value: z.string().min(1).max(16_384).optional(),
  })
  .refine((reference) => Object.values(reference).filter((part) => part !== undefined).length === 1, {
    message: 'give either `env` or `file`',
  });

const labels = setLabelsBody.shape.labels;

const groupMember = z.strictObject({
  email: email.toLowerCase(),
  role: addGroupMemberBody.shape.role.default('member'),
  /** Null is what the group says, 0 is unlimited. */
  monthly_limit: monthlyLimit.optional(),
  monthly_budget: monthlyLimit.optional(),
  rate_limit: setRateLimitBody.shape.rate_limit.optional(),
});

const group = withNames(createGroupBody, {
  name,
  monthly_budget: monthlyLimit.optional(),
  monthly_budget_per_user: monthlyLimit.optional(),
  labels: labels.optional(),
  access_list: name.nullish(),
  members: z.array(groupMember).max(OBJECTS_MAX).optional(),
});

const key = withNames(createApiKeyBody, { name });
const member = z.strictObject({ ...addMemberBody.shape, email: email.toLowerCase() });

/** An alert has no name in the interface; here it has one, to be known by from one version of the document to the next. */
const alert = withNames(createAlertBody, { name, url: z.union([createAlertBody.shape.url, configurationSecret]).optional() }).superRefine(
  ({ channel, url }, context) => {
    if (channel !== 'slack' || typeof url !== 'string') return;
    const message = 'the address of a Slack channel is a secret: give {env: NAME} or {file: PATH}';
    context.addIssue({ code: 'custom', path: ['url'], message });
  },
);

/** Whether a field of an account is no place for plain text, by its name. */
export function isSecretField(field: string): boolean {
  return /key|secret|token|password|credential|json|private/.test(field);
}

const { api_key: _secret, fields: _fields, ...restOfCredential } = createProviderCredentialBody.shape;
const providerCredential = z
  .strictObject({
    ...restOfCredential,
    name: name.optional(),
    api_key: configurationSecret.optional(),
    fields: z
      .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), z.union([z.string().min(1).max(1000), configurationSecret]))
      .refine(...bounded({ entriesMax: 16 }))
      .refine((map) => Object.keys(map).length > 0, { message: 'between 1 and 16 fields' })
      .superRefine((map, context) => {
        for (const [field, value] of Object.entries(map)) {
          if (typeof value !== 'string' || !isSecretField(field)) continue;
          context.addIssue({
            code: 'custom',
            path: [field],
            message: 'a secret does not stand in the document: give {env: NAME} or {file: PATH}',
          });
        }
      })
      .optional(),
  })
  .refine((body) => (body.api_key === undefined) !== (body.fields === undefined), {
    message: 'give either `api_key` or `fields`',
    path: ['api_key'],
  });

const sectionOf = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).max(OBJECTS_MAX).optional();

/** Which organization’s administrators wrote it, and what of the organization it is about. */
const configurationName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, ".", "_" or "-"');

export const CONFIGURATION_VERSION = 'weir/v1';
export const CONFIGURATION_KIND = 'Configuration';

/**
 * What an organization is to look like, in one document: body of `PUT /v1/manage/configuration`. A section that is left out is
 * left alone. Objects are named by what people call them, and so are references between them.
 */
export const configurationDocument = z.strictObject({
  apiVersion: z.literal(CONFIGURATION_VERSION),
  kind: z.literal(CONFIGURATION_KIND),
  metadata: z.strictObject({ name: configurationName, labels: labels.optional() }),
  settings: organizationSettings.partial().optional(),
  members: sectionOf(member),
  policies: sectionOf(createPolicyBody),
  aliases: sectionOf(createAliasBody),
  access_lists: sectionOf(z.strictObject({ ...createAccessListBody.shape, name })),
  groups: sectionOf(group),
  keys: sectionOf(key),
  guardrails: z
    .array(withNames(guardrailBody))
    .max(OBJECTS_MAX)
    .refine(...bounded({ jsonLengthMax: GUARDRAILS_LENGTH_MAX }))
    .optional(),
  limits: sectionOf(withNames(limitBody)),
  alerts: sectionOf(alert),
  provider_credentials: sectionOf(providerCredential),
});
export type ConfigurationDocument = z.output<typeof configurationDocument>;

const yesOrNo = z.enum(['true', 'false']).optional();

/** Query of `PUT /v1/manage/configuration` and of its preview. */
export const configurationParameters = z.strictObject({
  /** Also takes away what this configuration made before and lists no more. */
  prune: yesOrNo,
  /** Also takes over what other configurations look after, and what was made by hand. */
  adopt: yesOrNo,
});
/** Query of `GET /v1/manage/configuration`. */
export const configurationExportParameters = z.strictObject({
  format: z.enum(['json', 'yaml']).default('json'),
  /** What stands as its `metadata.name`. */
  name: configurationName.default('exported'),
});
