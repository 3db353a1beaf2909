import { MODALITIES, REQUEST_PRIORITIES, organizationSettings as settings } from '@weir/contracts';
import { z } from 'zod';
import { nameReply } from '../named-schemas';
import { approvedModels, autoTopUp, decimal } from '../gateway/organization';

const instant = z.iso.datetime();
const usd = z.number().min(0);
const permission = z.enum(['none', 'read', 'write']);
const labelMap = z.record(z.string(), z.string());
const person = z.object({ id: z.string(), email: z.string() });

/** The `cursor` of the next page, null on the last; absent when no page was asked for. */
const next = z.string().nullish();

export function listOf<Item extends z.ZodType>(id: string, name: string, item: Item) {
  return nameReply(id, z.object({ [name]: z.array(item), next }));
}

const accessList = nameReply(
  'AccessList',
  z.object({ id: z.uuid(), name: z.string(), organization_id: z.uuid(), auto_approve: z.boolean(), ...approvedModels.shape }),
);
const warnings = z
  .array(z.object({ modality: z.enum(MODALITIES), entry: z.string(), message: z.string() }))
  .optional()
  .describe('Entries that let nothing in as things stand, each with the reason; absent when there are none.');
export const createdAccessList = nameReply('CreatedAccessList', z.object({ id: z.uuid(), warnings }));
export const changedAccessList = nameReply('ChangedAccessList', z.object({ access_list: accessList, warnings }));
export const oneAccessList = nameReply('AccessListReply', z.object({ access_list: accessList }));
export const accessLists = listOf('AccessLists', 'access_lists', accessList);
export const createdId = nameReply('CreatedId', z.object({ id: z.string() }));

const apiKey = nameReply(
  'ApiKey',
  z.object({
    id: z.uuid(),
    name: z.string(),
    monthly_limit: usd.describe('0: unlimited.'),
    monthly_spend: usd.describe('Of this calendar month, UTC.'),
    permissions: z.object({
      manage: permission,
      completions: permission,
      contents: z.enum(['none', 'read']).describe('`read`: what the organization keeps of requests.'),
    }),
    labels: labelMap,
    created_by: person.nullable(),
    group: z.object({ id: z.uuid() }).nullable(),
    access_list_id: z.uuid().nullable(),
    priority: z
      .enum(REQUEST_PRIORITIES)
      .describe('The class in which its requests wait for providers, and the most that they may ask for.'),
    share: z.int().describe('Its weight among the keys of its organization that wait.'),
    status: z.enum(['active', 'expired', 'revoked']),
    prefix: z.string(),
    last4: z.string(),
    expires_at: instant.nullable(),
    created_at: instant,
    last_used_at: instant.nullable().describe('When usage of it was last counted; null for a key that was never used.'),
  }),
);
export const oneApiKey = nameReply('ApiKeyReply', z.object({ key: apiKey }));
export const callingApiKey = nameReply(
  'CallingApiKey',
  z.object({
    ...apiKey.shape,
    key: apiKey,
    acts_as: z.enum(['organization-admin', 'group-admin', 'member']).describe('As which its management permission counts.'),
    groups: z.array(z.object({ id: z.uuid(), role: z.enum(['admin', 'member']) })).describe('Of the member it belongs to.'),
  }),
  'The fields twice, as clients of both forms exist.',
);
export const callingApiKeyForEditors = nameReply(
  'CallingApiKeyForEditors',
  z.object({
    name: z.string(),
    monthly_limit: z.string().describe('USD; 0 is no limit.'),
    monthly_spend: z.string(),
    org_balance: z.string().optional().describe('All the organization can spend; only for keys that may read management.'),
    config: z.object({ aliases: z.record(z.string(), z.unknown()).optional() }),
  }),
);
export const apiKeys = listOf('ApiKeys', 'keys', apiKey);
export const createdApiKey = nameReply(
  'CreatedApiKey',
  z.object({ api_key_id: z.uuid(), id: z.uuid().describe('The same.'), api_key: z.string().describe('Shown this once.') }),
);
export const rotatedApiKey = nameReply('RotatedApiKey', z.object({ api_key: z.string().describe('Shown this once.') }));

const groupFields = {
  id: z.uuid(),
  organization_id: z.uuid(),
  name: z.string(),
  created_by: z.string().nullable(),
  created_at: instant,
  labels: labelMap,
  access_list_id: z.uuid().nullable(),
  monthly_limit: usd.optional().describe('In Global mode, of each member; 0: unlimited.'),
  monthly_budget: usd.optional().describe('In Group Budget mode, of the group as a whole; 0: unlimited.'),
  monthly_budget_per_user: usd.optional(),
};
const groupMember = nameReply(
  'GroupMember',
  z.object({
    id: z.string(),
    email: z.string(),
    role: z.enum(['admin', 'member']),
    monthly_spend: usd,
    active: z.boolean(),
    monthly_limit: usd.describe('What holds for the member: an own limit, or in Global mode the group’s; 0: unlimited.'),
    rate_limit: z.int().describe('Requests a minute over all keys of the member; 0: unlimited.'),
    monthly_budget: usd.optional().describe('In Group Budget mode: an own budget, or the group’s per user; 0: unlimited.'),
  }),
);
const group = nameReply('Group', z.object({ ...groupFields, members: z.array(groupMember) }));
export const oneGroup = nameReply('GroupReply', z.object({ group }));
export const groups = listOf('Groups', 'groups', z.object({ ...groupFields, members_count: z.int(), monthly_spend: usd }));
export const createdGroup = nameReply('CreatedGroup', z.object({ group_id: z.uuid(), id: z.uuid().describe('The same.') }));

const member = nameReply(
  'Member',
  z.object({
    user_id: z.uuid(),
    user_email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role: z.enum(['owner', 'admin', 'member']).describe('Owners and admins administer the organization.'),
  }),
);
export const oneMember = nameReply('MemberReply', z.object({ member }));
export const members = listOf('Members', 'members', member);
export const offboarded = nameReply('Offboarded', z.object({ was_member: z.boolean() }));

export const organizationSettings = nameReply(
  'OrganizationSettings',
  z.object({
    organization: z.looseObject({
      id: z.uuid(),
      name: z.string(),
      ...settings.shape,
      // As it is kept: every list is there.
      approved_models: approvedModels.nullable(),
      share: z.int().describe('Its weight where it waits for a provider together with other organizations; the operator sets it.'),
      time_zone: z.string().describe('Whose days, weeks and months limits follow: the IANA name.'),
    }),
  }),
);

const keptText = { body: z.string(), is_cut: z.boolean().describe('There was more than is kept, or the caller left before the end.') };
export const requestContents = nameReply(
  'RequestContents',
  z.object({
    request: z.object(keptText).describe('The body as the caller sent it; no headers.'),
    response: z
      .object({ ...keptText, status: z.int(), content_type: z.string().nullable() })
      .describe('The body as the caller got it, of a stream all of its frames.'),
    kept_until: instant.describe('It is deleted then, or before, when the organization keeps contents for a shorter time or no more.'),
  }),
);

export const auditPage = nameReply(
  'AuditPage',
  z.object({
    audit: z.array(
      z.object({
        id: z.string(),
        at: instant,
        actor: z.object({
          kind: z.string(),
          id: z.string().nullable(),
          name: z.string().nullable().describe('What the key is called now, or the address of the person; null for what is gone.'),
        }),
        action: z.string(),
        target: z.object({ kind: z.string(), id: z.string().nullable() }),
        before: z.unknown(),
        after: z.unknown(),
        request_id: z.string().nullable(),
        ip: z.string().nullable(),
      }),
    ),
    next: z.string().nullable(),
  }),
);

export const auditVerification = nameReply(
  'AuditVerification',
  z.object({
    verification: z.object({
      entries: z.int().describe('How many entries this step computed anew.'),
      up_to: z.object({ id: z.string(), at: instant, hash: z.string() }).nullable().describe('The last of them; note its hash elsewhere.'),
      first_broken: z
        .object({ id: z.string(), at: instant, why: z.enum(['changed', 'unchained']) })
        .nullable()
        .describe('The first entry of this step that is not as it was written, or does not follow the one before it.'),
      missing: z
        .int()
        .nullable()
        .describe('Entries that were added and are gone, by the count that is kept beside the log; null before the last step.'),
      has_newest: z
        .boolean()
        .nullable()
        .describe('Whether the newest entry that was noted beside the log is there, unchanged; null before the last step.'),
      verified_at: instant,
    }),
    next: z.string().nullable().describe('The `cursor` of the following step, null on the last.'),
  }),
);

const latencyMs = z
  .object({ stream: z.int().nullable(), whole: z.int().nullable() })
  .describe('Mean times until the first byte of a stream, and until a whole reply; older ones count less.');
const howItDoes = {
  error_share: z
    .number()
    .nullable()
    .describe('Of the attempts of the last five to ten minutes, as a part of one; null where there were none.'),
  has_few_attempts: z.boolean().describe('Fewer than twenty attempts: the share says little.'),
};
const healthState = z.enum(['ok', 'partly_ejected', 'ejected', 'unknown']);
const ejectedUntil = instant.nullable().describe('As long as requests go elsewhere where they can; null where nothing is ejected.');
const provider = nameReply(
  'Provider',
  z.object({
    id: z.string(),
    name: z.string(),
    is_set_up: z.boolean().nullable().describe('Whether the gateway has an account of its own there; null where no process reports.'),
    needs: z.array(z.array(z.string())).describe('Each row is one way to set it up: the names of all settings it takes.'),
    key_ways: z
      .array(z.array(z.string()))
      .describe(
        'Fields of a provider credential: each row is one way, of which all are needed. Empty: none is taken, or no process reports.',
      ),
    key_optional: z.array(z.string()).describe('Fields that may be given besides.'),
    accounts: z
      .array(z.object({ id: z.string(), weight: z.number(), region: z.string().nullable(), state: healthState }))
      .describe('The gateway’s accounts there, where they are more than one key.'),
    own_keys: z.int().describe('Accounts that the organization keeps.'),
    models: z.int(),
    regions: z.array(z.string()),
    health: z.object({
      state: healthState,
      ...howItDoes,
      latency_ms: latencyMs,
      ejected_until: ejectedUntil,
      seen_by: z.int().describe('How many processes report it.'),
    }),
    places: z
      .array(
        z.object({
          region: z.string().nullable(),
          provider_credential_id: z.string().nullable().describe('The organization’s own account; null: the gateway’s.'),
          account: z.string().nullable().describe('Which of the gateway’s accounts; null where it has only one.'),
          state: healthState,
          ...howItDoes,
          ejected_until: ejectedUntil,
          ejected_by: z.int().describe('How many processes leave it out.'),
        }),
      )
      .describe('What fails together: a region under one account.'),
    model_health: z
      .array(z.object({ model: z.string(), ...howItDoes, latency_ms: latencyMs }))
      .describe('The busiest models, at most fifty.'),
  }),
);
export const providers = nameReply(
  'Providers',
  z.object({
    providers: z.array(provider),
    processes: z
      .int()
      .nullable()
      .describe('How many processes that call providers were heard of within half a minute; null where they could not be asked.'),
    as_of: instant,
  }),
);

const credential = nameReply(
  'ProviderCredential',
  z.object({
    id: z.uuid(),
    provider: z.string(),
    name: z.string(),
    mode: z.enum(['prefer', 'only']),
    last4: z.string(),
    version: z.int(),
    created_at: instant,
    updated_at: instant,
  }),
);
export const oneCredential = nameReply('ProviderCredentialReply', z.object({ provider_credential: credential }));
export const credentials = listOf('ProviderCredentials', 'provider_credentials', credential);
export const credentialTest = nameReply(
  'ProviderCredentialTest',
  z.union([z.object({ ok: z.literal(true) }), z.object({ ok: z.literal(false), why: z.string() })]),
);

const ruleFields = { id: z.string(), name: z.string(), version: z.int(), created_at: instant, updated_at: instant };
const policy = nameReply(
  'Policy',
  z.object({
    ...ruleFields,
    strategy: z.enum(['fallback', 'weighted', 'latency', 'price']),
    models: z.array(z.object({ model: z.string(), weight: z.number(), retries: z.int() })),
    sticky_by: z.enum(['trace_id', 'user_id']).optional(),
    first_content_ms: z.int().optional(),
    idle_ms: z.int().optional(),
  }),
);
export const onePolicy = nameReply('PolicyReply', z.object({ policy }));
export const policies = listOf('Policies', 'policies', policy);
const alias = nameReply('Alias', z.object({ ...ruleFields, model: z.string() }));
export const oneAlias = nameReply('AliasReply', z.object({ alias }));
export const aliases = listOf('Aliases', 'aliases', alias);
const guardrail = nameReply(
  'Guardrail',
  z.looseObject({
    ...ruleFields,
    detectors: z.array(
      z.union([
        z.string(),
        z.object({ name: z.string(), pattern: z.string() }),
        z.object({ name: z.string(), words: z.array(z.string()) }),
      ]),
    ),
    action: z.enum(['flag', 'mask', 'block']),
    stage: z.enum(['input', 'output', 'both']),
    on_error: z.enum(['open', 'closed']),
    scanner_url: z.string().optional(),
    api_key_id: z.uuid().optional(),
    group_id: z.uuid().optional(),
  }),
);
export const oneGuardrail = nameReply('GuardrailReply', z.object({ guardrail }));
export const guardrails = listOf('Guardrails', 'guardrails', guardrail);

export const balance = nameReply(
  'Balance',
  z.object({
    balance: z.object({ currency: z.literal('USD'), total: decimal, cash: decimal, promotion: decimal, gift: decimal }),
  }),
);
export const balanceHistory = nameReply(
  'BalanceHistory',
  z.object({
    history: z.array(
      z.object({
        id: z.string().describe('Of a `price_correction`, `rerate_id` of the requests that it corrects.'),
        kind: z
          .string()
          .describe(
            '`usage` of an hour, `top_up`, `gift`, `promotion`, `refund`, `adjustment`, `expiry`, `opening`, or `price_correction`: a credit note (above zero) or debit note (below) for usage that was charged by a wrong price.',
          ),
        at: instant,
        amount: decimal,
        note: z.string().nullable(),
      }),
    ),
    next: z.string().nullable(),
  }),
);
export const autoTopUpReply = nameReply('AutoTopUpReply', z.object({ auto_top_up: autoTopUp }));
