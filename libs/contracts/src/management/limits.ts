import { z } from 'zod';
import { MODALITIES } from '../models/modality';
import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS, type LimitScope } from './limit-dimensions';
import { searchedPageParameters } from './pages';

const id = z.uuid().toLowerCase();

function namesOf<const Name extends string>(rows: readonly { readonly name: Name }[]): [Name, ...Name[]] {
  return rows.map(({ name }) => name) as [Name, ...Name[]];
}

const pattern = z.string().trim().min(1).max(256);

/** USD may have decimals down to a pico-dollar; everything else is whole. As text, so that no digit is lost. */
const amount = z
  .union([z.number().finite(), z.string().regex(/^\d{1,15}(?:\.\d{1,12})?$/, 'must be a decimal number')])
  .transform((value) => (typeof value === 'number' ? toPlainText(value) : value))
  .refine((text) => Number(text) > 0 && Number(text) <= 1e15, { message: 'must be above 0 and at most 1e15' });

/** Without an exponent; what numbers cannot say exactly is sent as text. */
function toPlainText(value: number): string {
  if (value < 0) return '0';
  return value.toFixed(12).replace(/\.?0+$/, '');
}

const TARGETS = ['group_id', 'member_id', 'api_key_id', 'end_user', 'label', 'value'] as const;

const members = {
  scope: z.enum(namesOf(LIMIT_SCOPES)),
  group_id: id.optional(),
  member_id: id.optional(),
  api_key_id: id.optional(),
  end_user: z.string().min(1).max(256).optional(),
  label: z.string().min(1).max(64).optional(),
  value: z.string().min(1).max(64).optional(),
  /** Patterns as in access lists; absent: every model. Only what these models used is counted. */
  models: z.array(pattern).min(1).max(50).optional(),
  providers: z.array(pattern).min(1).max(50).optional(),
  modalities: z.array(z.enum(MODALITIES)).min(1).max(5).optional(),
  measure: z.enum(namesOf(LIMIT_MEASURES)),
  /** Absent exactly where the measure is of what runs at a moment. */
  window: z.enum(namesOf(LIMIT_WINDOWS)).optional(),
  amount,
  action: z.enum(namesOf(LIMIT_ACTIONS)).default('refuse'),
  /** Needed by the action `fallback`, and only there. */
  fallback_model: z.string().min(1).max(256).optional(),
};

type Checked = z.output<z.ZodObject<typeof members>>;

function checkLimit(limit: Checked, context: z.RefinementCtx): void {
  const add = (field: string, message: string): void => context.addIssue({ code: 'custom', path: [field], message });
  checkTargets(limit, add);
  const measure = LIMIT_MEASURES.find(({ name }) => name === limit.measure);
  const isConcurrent = measure?.isConcurrent === true;
  if (isConcurrent && limit.window !== undefined) add('window', `is not for "${limit.measure}", which counts what runs at a moment`);
  if (!isConcurrent && limit.window === undefined) add('window', `is needed for "${limit.measure}"`);
  if (measure?.unit !== 'USD' && limit.amount.includes('.')) add('amount', `must be a whole number for "${limit.measure}"`);
  if ((limit.action === 'fallback') !== (limit.fallback_model !== undefined)) {
    add('fallback_model', limit.action === 'fallback' ? 'is needed for the action "fallback"' : 'is only for the action "fallback"');
  }
}

function checkTargets(limit: Checked, add: (field: string, message: string) => void): void {
  const { targets, needs }: { readonly targets: readonly string[]; readonly needs: readonly string[] } = findScope(limit.scope);
  for (const field of TARGETS) {
    if (limit[field] !== undefined && !targets.includes(field)) add(field, `is not for the scope "${limit.scope}"`);
    if (limit[field] === undefined && needs.includes(field)) add(field, `is needed for the scope "${limit.scope}"`);
  }
}

function findScope(name: LimitScope): (typeof LIMIT_SCOPES)[number] {
  return LIMIT_SCOPES.find((scope) => scope.name === name) ?? LIMIT_SCOPES[0];
}

const name = z.string().trim().min(1).max(200);

/**
 * Body of `POST /v1/manage/limit` and of `PUT /v1/manage/limit/{id}`. What is counted goes on when a limit is replaced,
 * unless its measure or window changes: then it begins anew. Its scope and targets stay.
 */
export const limitBody = z.strictObject({ name, ...members }).superRefine(checkLimit);
/** Body of `POST /v1/manage/limit/preview`: what a limit would have done to the requests of the last days. */
export const previewLimitBody = z
  .strictObject({ name: name.optional(), ...members, days: z.int().min(1).max(31).default(7) })
  .superRefine(checkLimit);
/** What is kept of a limit beside its name. */
export const limitDocument = z.strictObject(members).superRefine(checkLimit);
export type LimitDocument = z.output<typeof limitDocument>;

/** Query of `GET /v1/manage/limit`. */
export const limitListParameters = searchedPageParameters.extend({
  scope: z.enum(namesOf(LIMIT_SCOPES)).optional(),
  /** Limits that name this key, group or member; those that hold for each apart name none. */
  api_key_id: id.optional(),
  group_id: id.optional(),
  member_id: id.optional(),
  /** How full each of them is, too. */
  usage: z.enum(['true', 'false']).optional(),
});
export type LimitListParameters = z.output<typeof limitListParameters>;
