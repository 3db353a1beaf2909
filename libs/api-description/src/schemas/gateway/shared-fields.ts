import { z } from 'zod';
import { nameRequest } from '../named-schemas';

/** Text that must say something. */
export const name = z.string().min(1);
/** Optional members may be spelled out as null: many clients name every field they know. */
export const text = z.string().nullish();
export const flag = z.boolean().nullish();
export const anyObject = z.record(z.string(), z.unknown());

const cacheControl = nameRequest(
  'CacheControl',
  z.looseObject({ type: z.string().optional(), ttl: z.enum(['5m', '1h']).nullish() }),
  'Cache the prompt up to here.',
);
export const cacheMark = { cache_control: cacheControl.nullish() };

export const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

export const modelId = name.describe('`<vendor>/<model>`, an alias, or `policy/<name>`; `GET /v1/models/all` lists what there is.');

/** The gateway’s own fields in bodies of inference requests; none of them reaches a provider. */
const extension = nameRequest(
  'RequestMetadata',
  z.looseObject({
    tags: z.array(z.unknown()).optional().describe('Kept in usage as the field `extra.tags`, joined by commas.'),
    user_id: text.describe('The end user, before every field the dialect itself has for that.'),
    trace_id: z.string().max(256).nullish(),
    extra: z
      .record(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/), z.union([z.string().max(64), z.number(), z.boolean()]))
      .optional()
      .describe('At most 20 fields, headers `X-Weir-<Name>` included; usage can be grouped by `extra.<name>`.'),
    cache: z
      .union([z.boolean(), z.enum(['on', 'off']), z.int().min(1).max(86_400)])
      .nullish()
      .describe('The response cache, as the header `X-Weir-Cache`, which comes first.'),
    data_policy: text.describe('Rules for this request, as the header `X-Weir-Data-Policy`.'),
    auto_cache: z
      .union([z.boolean(), z.enum(['5m', '1h'])])
      .nullish()
      .describe('Places cache breakpoints where the provider takes them, for five minutes or an hour.'),
  }),
  'What usage reports can be sliced by, and what the gateway is to do.',
);
export const metadata = { weir: extension.nullish(), requesty: extension.nullish().describe('Another name of `weir`.') };

const userLocation = z.looseObject({ country: text, region: text, city: text, timezone: text });
const approximate = z.looseObject({ approximate: userLocation });

export const searchOptions = {
  max_uses: z.int().min(1).nullish(),
  allowed_domains: z.array(z.string()).nullish(),
  blocked_domains: z.array(z.string()).nullish(),
  search_context_size: z.enum(['low', 'medium', 'high']).nullish(),
  user_location: z.union([approximate, userLocation]).nullish(),
  filters: z.looseObject({ allowed_domains: z.array(z.string()).nullish(), blocked_domains: z.array(z.string()).nullish() }).nullish(),
};

/** A file within a message: one of the three is needed. */
export const fileFields = {
  filename: text,
  file_id: text,
  file_data: text.describe('A base64 data URL, an http(s) address, or bare base64 with a `filename` whose extension shows the type.'),
  file_url: text,
};
