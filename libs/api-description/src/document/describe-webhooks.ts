import { alertNotice, scanQuestion, scanVerdict } from '../schemas/webhooks';
import { convertSchema, type JsonSchema } from './convert-schemas';

const SIGNATURE: JsonSchema[] = [
  {
    name: 'x-weir-signature',
    in: 'header',
    required: true,
    description:
      '`v1=` and the hex HMAC-SHA256 of `<x-weir-timestamp>.<body>` under the secret that was returned when the alert was created.',
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
        summary: 'A threshold was crossed, or is no longer',
        description:
          'Sent again, up to ten times over some hours, until a response is 2xx. A notice may arrive twice: remember the ids you have seen.',
        security: [],
        parameters: SIGNATURE,
        requestBody: asJson(convertSchema(alertNotice, 'output')),
        responses: {
          '2XX': { description: 'Taken.' },
          '4XX': { description: 'Not taken, like any other response: the notice is sent again.' },
        },
      },
    },
    scan: {
      post: {
        operationId: 'scan-texts',
        tags: ['Guardrails'],
        summary: 'Look for something in texts',
        description: 'Sent to the `scanner_url` of a guardrail. Any other response, or none in time, is the verdict `scan_error`.',
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
