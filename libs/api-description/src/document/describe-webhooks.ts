import { alertNotice, scanQuestion, scanVerdict } from '../schemas/webhooks';
import { convertSchema, type JsonSchema } from './convert-schemas';

const SIGNATURE: JsonSchema[] = [
  {
    name: 'x-weir-signature',
    in: 'header',
    required: true,
    description: '`v1=` and the hex HMAC-SHA256 of `<x-weir-timestamp>.<body>` under the secret that creating the alert answered.',
    schema: { type: 'string' },
  },
  {
    name: 'x-weir-timestamp',
    in: 'header',
    required: true,
    description: 'Seconds since 1970; refuse old ones.',
    schema: { type: 'string' },
  },
  { name: 'x-weir-delivery', in: 'header', required: true, description: 'The `id` of the body.', schema: { type: 'string' } },
];

/** What the gateway asks of addresses that an organization named. */
export function describeWebhooks(): JsonSchema {
  return {
    alert: {
      post: {
        operationId: 'receive-alert',
        tags: ['Money'],
        summary: 'A threshold was crossed',
        description: 'Comes again, ten times over some hours, until a 2xx takes it: it may come twice, so remember ids.',
        security: [],
        parameters: SIGNATURE,
        requestBody: asJson(convertSchema(alertNotice, 'output')),
        responses: { '2XX': { description: 'Taken.' }, '4XX': { description: 'Not taken, as any other answer: it comes again.' } },
      },
    },
    scan: {
      post: {
        operationId: 'scan-texts',
        tags: ['Guardrails'],
        summary: 'Is there something in these texts',
        description: 'Asked of the `scanner_url` of a guardrail. Any other answer, or none in time, is the verdict `scan_error`.',
        security: [],
        requestBody: asJson(convertSchema(scanQuestion, 'output')),
        responses: {
          '200': { description: 'The verdict.', ...asContent(convertSchema(scanVerdict, 'input')) },
          '4XX': { description: 'The scanner failed: `on_error` of the guardrail decides.' },
        },
      },
    },
  };
}

function asJson(schema: JsonSchema): JsonSchema {
  return { required: true, ...asContent(schema) };
}

function asContent(schema: JsonSchema): JsonSchema {
  return { content: { 'application/json': { schema } } };
}
