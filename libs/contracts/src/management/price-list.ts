import { z } from 'zod';

const MESSAGE = 'must be a decimal number as text';

const step = z
  .strictObject({
    from: z.iso.date(),
    /** On top of ours; below zero: off. */
    percent: z
      .string()
      .regex(/^(?:-?\d{1,2}(?:\.\d{1,4})?|-100|\d{3,5}(?:\.\d{1,4})?)$/, `${MESSAGE}, -100 or more, with at most four places`)
      .optional(),
    factor: z
      .string()
      .regex(/^\d{1,4}(?:\.\d{1,6})?$/, `${MESSAGE} with at most six places`)
      .optional(),
  })
  .refine(({ percent, factor }) => (percent === undefined) !== (factor === undefined), {
    path: ['percent'],
    message: 'is needed, or `factor` in its place, and not both',
  });

/** Body of `PUT /v1/manage/price-list`: the first entry that has a model decides about it. */
export const priceListBody = z.strictObject({
  entries: z
    .array(
      z.strictObject({
        /** As in access lists. */
        models: z.array(z.string().trim().min(1).max(256)).min(1).max(100),
        steps: z
          .array(step)
          .min(1)
          .max(100)
          .refine((steps) => new Set(steps.map(({ from }) => from)).size === steps.length, { message: 'begin on different days' }),
      }),
    )
    .max(200),
});
export type PriceListBody = z.output<typeof priceListBody>;
