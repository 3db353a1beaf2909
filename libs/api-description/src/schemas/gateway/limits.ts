import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS, MODALITIES } from '@weir/contracts';
import { z } from 'zod';
import { nameReply } from '../named-schemas';

const amount = z.string().describe('In the unit of the measure, as exact decimal text.');
const time = z.iso.datetime().nullable();

const bindingLimit = z.object({
  id: z.string().nullable().describe('Null for limits that are settings: see `kind`.'),
  name: z.string(),
  kind: z.enum(['built_in', 'limit']).describe('`built_in`: a setting of the key, its group, its member or the organization.'),
  scope: z.enum(LIMIT_SCOPES.map(({ name: word }) => word)),
  about: z.string().describe('Whom it is about, for people.'),
  measure: z.enum(LIMIT_MEASURES.map(({ name: word }) => word)),
  window: z
    .enum(LIMIT_WINDOWS.map(({ name: word }) => word))
    .nullable()
    .describe('Null for what runs at a moment.'),
  models: z.array(z.string()).nullable().describe('Patterns of the models whose use is counted; null for all.'),
  providers: z.array(z.string()).nullable(),
  modalities: z.array(z.enum(MODALITIES)).nullable(),
  limit: amount,
  used: amount.nullable().describe('What is held for requests that run counts as well. Null where it is not known without a request.'),
  remaining: amount.nullable().describe('Zero where more was used than the limit allows now.'),
  held: amount.nullable().describe('How much of `used` is held for requests that run; it is replaced by what they used when they end.'),
  starts_at: time.describe('When the window began; null for `total`, and for what runs at a moment.'),
  frees_at: time.describe('When it begins to free by itself; null where no time does.'),
  counted_from: time.describe('When the limit was made: it counts from then on. Null for settings.'),
  action: z.enum(LIMIT_ACTIONS.map(({ name: word }) => word)),
  fallback_model: z.string().nullable(),
});

export const bindingLimits = nameReply(
  'BindingLimits',
  z.object({
    object: z.literal('limits'),
    as_of: z.iso.datetime(),
    api_key: z.object({ id: z.string(), name: z.string() }),
    model: z.string().nullable().describe('The model that was asked about, by its full id where it is known.'),
    user: z.string().nullable(),
    limits: z.array(bindingLimit),
  }),
);
