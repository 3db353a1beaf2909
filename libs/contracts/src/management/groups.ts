import { z } from 'zod';
import { monthlyLimit } from './api-keys';

const name = z.string().min(1).max(200);

/** Body of `POST /v1/manage/group`. In group budget mode the limit is the group's total budget, in global mode each member's limit. */
export const createGroupBody = z.strictObject({ name, monthly_limit: monthlyLimit.optional() });
/** Body of `PATCH /v1/manage/group/{id}`: only included fields change. */
export const updateGroupBody = createGroupBody.partial();

/** Bodies of the endpoints that exist in group budget mode only. */
export const setBudgetBody = z.strictObject({ monthly_budget: monthlyLimit });
export const setUserBudgetBody = z.strictObject({ monthly_budget_per_user: monthlyLimit });

const role = z.enum(['admin', 'member']);
const userId = z.string().min(1).max(200);

export const addGroupMemberBody = z.strictObject({ user_id: userId, role });
export const removeGroupMemberBody = z.strictObject({ user_id: userId });
export const setMemberRoleBody = z.strictObject({ role });
/** Requests per minute over all keys of the member; null or 0 means unlimited. */
export const setRateLimitBody = z.strictObject({ rate_limit: z.int().min(0).max(1_000_000).nullable() });
