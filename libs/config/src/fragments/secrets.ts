import { z } from 'zod';

const secret = z.string().min(32, 'must have at least 32 characters');

/** The value of the first administrator key: any string of 20 or more characters. */
export const bootstrapApiKey = z.string().min(20, 'must have at least 20 characters').max(512);

/** Turns keys into their stored form. Losing it makes every key unusable. The same in edge-router and management-api. */
export const pepperEnv = z.object({ KEY_PEPPER: secret });

/** Signs what the edge tells workers. The same in edge-router and the workers. */
export const passportEnv = z.object({ PASSPORT_SECRET: secret });
