import { z } from 'zod';
import { httpUrl } from '../values';

const area = z.enum(['eu', 'us', 'ap']);

/** `eu=https://eu.gateway.example,us=https://us.gateway.example` */
const addresses = z
  .string()
  .transform((text) => Object.fromEntries(text.split(',').map((pair) => pair.trim().split(/=(.*)/, 2))) as Record<string, string>)
  .pipe(z.partialRecord(area, httpUrl));

/** Where this gateway runs, for organizations whose data has to stay in a part of the world. */
export const deploymentEnv = z.object({
  /** Without it, requests whose data has to stay somewhere are refused. */
  DEPLOYMENT_REGION: area.optional(),
  /** Gateways of the same owner in other parts of the world: refusals name them. */
  REGIONAL_ADDRESSES: addresses.default({}),
});
