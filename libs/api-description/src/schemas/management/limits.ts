import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS, MODALITIES } from '@weir/contracts';
import { z } from 'zod';
import { nameReply } from '../named-schemas';

const instant = z.iso.datetime();
const count = z.int().min(0);
const amount = z.string().describe('Exact decimal text, in the unit of the measure.');

type Row = { readonly name: string; readonly about: string };

/** One of the rows of a table, and what each of them says. */
function oneOf(rows: readonly Row[]) {
  const names = rows.map(({ name }) => name);
  return z.enum(names as [string, ...string[]]).describe(rows.map(({ name, about }) => `\`${name}\`: ${about}`).join('; '));
}

const MEASURES = LIMIT_MEASURES.map(({ name, unit, held, settled }) => ({ name, about: `${unit}; held: ${held}; then: ${settled}` }));

/** Whom a limit that holds for each apart has counted. */
const partition = z.object({
  scope: z.enum(LIMIT_SCOPES.map(({ name }) => name) as [string, ...string[]]),
  id: z.string().nullable().describe('Of a key, group or member; what it is kept under for an end user or a value of a label.'),
  name: z.string().nullable().describe('Null where it is not known: of end users only a digest is kept.'),
});

const fill = z.object({
  of: partition.nullable().describe('Null where the limit is about one thing.'),
  used: amount,
  share: z.number().min(0).describe('Of the amount; 1 is full.'),
  window_start: instant.nullable().describe('Null for `total`.'),
  window_end: instant.nullable().describe('When the window ends; of a rolling window, when its oldest step leaves it. Null for `total`.'),
});

const usage = z
  .array(fill)
  .optional()
  .describe('The fullest at this moment, at most five: what was counted, without what is held for requests that still run.');

const limit = nameReply(
  'Limit',
  z.object({
    ...{ id: z.string(), name: z.string(), version: z.int(), created_at: instant, updated_at: instant },
    scope: oneOf(LIMIT_SCOPES),
    group_id: z.uuid().optional(),
    member_id: z.uuid().optional(),
    api_key_id: z.uuid().optional(),
    end_user: z.string().optional(),
    label: z.string().optional(),
    value: z.string().optional(),
    models: z.array(z.string()).optional(),
    providers: z.array(z.string()).optional(),
    modalities: z.array(z.enum(MODALITIES)).optional(),
    measure: oneOf(MEASURES),
    window: oneOf(LIMIT_WINDOWS).optional(),
    amount,
    action: oneOf(LIMIT_ACTIONS),
    fallback_model: z.string().optional(),
    usage,
  }),
);
export const oneLimit = nameReply('LimitReply', z.object({ limit }));
export const limits = nameReply('Limits', z.object({ limits: z.array(limit), next: z.string().nullish() }));

export const limitPreview = nameReply(
  'LimitPreview',
  z.object({
    start: instant.describe('From when on requests were looked at.'),
    end: instant,
    requests: count.describe('All of the organization that were looked at.'),
    bound: count.describe('Those that the limit binds.'),
    would_have_refused: count,
    share: z.number().min(0).nullable().describe('Of those it binds; null where there are none.'),
    is_partial: z.boolean().describe('There were more requests than are looked at: it ends before today.'),
    days: z.array(
      z.object({ date: z.iso.date().describe('In the time zone of the organization.'), bound: count, would_have_refused: count }),
    ),
    examples: z
      .array(z.object({ request_id: z.string(), admitted_at: instant, of: partition.nullable(), used: amount, needed: amount }))
      .describe('The first that would have been refused, at most twenty.'),
    fullest: z.array(fill).describe('The fullest windows, at most five.'),
  }),
);
