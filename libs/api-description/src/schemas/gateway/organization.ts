import { z } from 'zod';
import { nameReply } from '../named-schemas';

export const decimal = z.string().describe('USD as exact decimal text.');
const patterns = z.array(z.string());

export const approvedModels = z.object({
  chat: patterns,
  embedding: patterns,
  image: patterns,
  transcription: patterns,
  speech: patterns,
});

export const autoTopUp = nameReply(
  'AutoTopUp',
  z.object({ enabled: z.boolean(), threshold: decimal.nullable(), amount: decimal.nullable(), monthly_cap: decimal.nullable() }),
);

export const organizationPage = nameReply(
  'OrganizationPage',
  z.looseObject({
    organization: z.looseObject({
      id: z.uuid(),
      name: z.string().nullable(),
      tier: z.enum(['free', 'paying']),
      budget_mode: z.enum(['global', 'group']),
      data_residency: z.enum(['eu', 'us', 'ap']).nullable(),
      zero_data_retention: z.boolean(),
      approved_models: z.record(z.string(), z.unknown()).nullable(),
      default_chat_model: z.string(),
    }),
  }),
);

const credits = z.object({
  balance: decimal,
  credits: z.array(z.object({ amount: decimal, remaining: decimal, expires_at: z.iso.datetime().nullable() })),
});

export const financePage = nameReply(
  'FinancePage',
  z.object({
    finance: z.object({
      currency: z.literal('USD'),
      balance: decimal,
      cash: decimal,
      counted_from: z.iso
        .datetime()
        .nullable()
        .describe('From when on usage counts in the balance: the first credit. Null where all usage counts.'),
      usage_not_counted: decimal.describe('USD used before `counted_from`, which the balance does not count, as exact decimal text.'),
      gift: credits,
      promotion: credits,
      auto_top_up: autoTopUp,
    }),
  }),
);
