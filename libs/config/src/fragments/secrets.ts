import { z } from 'zod';
import { flag } from '../values';

const secret = z.string().min(32, 'must have at least 32 characters');

/** The value of the first administrator key: any string of 20 or more characters. */
export const bootstrapApiKey = z.string().min(20, 'must have at least 20 characters').max(512);

/** Turns keys into their stored form. Losing it makes every key unusable. The same in edge-router and management-api. */
export const pepperEnv = z.object({
  KEY_PEPPER: secret,
  /** The one before, while keys still hang on it. */
  KEY_PEPPER_PREVIOUS: secret.optional(),
});

/**
 * Wraps what provider credentials are sealed with. Several with commas between them while one takes the place of
 * another: the first seals, all of them open.
 */
export const sealingKeys = z.string().refine((text) => text.split(',').every((key) => key.trim().length >= 32), {
  message: 'every key must have at least 32 characters',
});
export const sealingEnv = z.object({ SEALING_KEY: sealingKeys });

/** How automatic top-ups are paid: not at all, or recorded for an operator who sends invoices. */
export const paymentEnv = z.object({ AUTO_TOP_UP: z.enum(['off', 'recorded']).default('off') });

/** Organizations that were never given money may spend none. Otherwise only those that were given some have a balance. */
export const balanceEnv = z.object({ BALANCE_REQUIRED: flag.default(false) });

/** Signs the passports that the edge sends to workers. The same in edge-router and the workers. */
export const passportEnv = z.object({ PASSPORT_SECRET: secret });
