import { ALERT_SCOPES, ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { encodeError, ERROR_CATALOGUE, GatewayError, getErrorRow, type ErrorCode } from '@weir/errors';
import { encodeAlertNotice } from '@weir/limits';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { createApiDocument, toTemplate } from './create-api-document';
import { EXAMPLE_IDS } from './operations/example-ids';
import { FILE_FIELDS, OPERATIONS } from './operations';

type Described = {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  requestBody?: { content: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }> };
};

const rows: readonly EndpointRow[] = ENDPOINTS;
const document = createApiDocument();
const described = (row: EndpointRow): Described => document.paths[toTemplate(row.path)]?.[row.method.toLowerCase()] as unknown as Described;

describe('the API document', () => {
  it('says something about every row of the endpoint table, and about nothing else', () => {
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
    for (const row of rows) expect(described(row).operationId).toBe(row.id);
  });

  it('has a success, a refusal and the envelope of its dialect for every operation', () => {
    const envelopes = { gateway: 'GatewayError', messages: 'MessagesError', 'access-list': 'AccessListError', scim: 'ScimError' };
    for (const row of rows) {
      const { responses } = described(row);
      const statuses = Object.keys(responses);
      expect([row.id, statuses.some((status) => status.startsWith('2')), statuses.includes('500')]).toEqual([row.id, true, true]);
      if (row.permission.kind !== 'public') expect([row.id, statuses]).toEqual([row.id, expect.arrayContaining(['401'])]);
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400 || content === undefined) continue;
        expect(content[row.errorDialect === 'scim' ? 'application/scim+json' : 'application/json']?.schema).toEqual({
          $ref: `#/components/schemas/${envelopes[row.errorDialect]}`,
        });
      }
    }
  });

  it('lists every error of the catalogue', () => {
    const listed = document['x-error-codes'] as { code: string; also?: string[] }[];
    const written = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map((code) => getErrorRow(code).words ?? [code]);

    expect(listed.map(({ code, also = [] }) => [code, ...also])).toEqual(written);
  });

  it('promises `error.type` in the envelopes, and lists the word that each error has', () => {
    const listed = document['x-error-codes'] as { code: string; type: string; messages_type: string }[];
    type Envelope = { properties: { error: { required: string[]; properties: { type: { examples: string[] } } } } };
    for (const [name, dialect] of [
      ['GatewayError', 'gateway'],
      ['MessagesError', 'messages'],
    ] as const) {
      const { required, properties } = (document.components.schemas[name] as Envelope).properties.error;
      expect(required).toContain('type');
      for (const [index, key] of (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).entries()) {
        const { code, type, messages_type: messagesType } = listed[index] ?? {};
        const sent = JSON.parse(encodeError(new GatewayError(key, 'm'), dialect, 'r').body) as { error: { code: string; type: string } };
        expect(sent.error).toMatchObject({ code, type: dialect === 'messages' ? messagesType : type });
        expect(properties.type.examples).toContain(sent.error.type);
      }
    }
  });

  it('takes its own examples, and refers to nothing that is not there', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ $id: 'api', ...document });
    let examples = 0;
    for (const [name] of Object.entries(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `api#/components/schemas/${name}` })).not.toThrow();
    }
    for (const row of rows) {
      const body = described(row).requestBody?.content['application/json'];
      if (body === undefined) continue;
      const validate = ajv.compile(JSON.parse(JSON.stringify(body.schema).replaceAll('"#/', '"api#/')) as object);
      for (const [name, { value }] of Object.entries(body.examples ?? {})) {
        examples += 1;
        validate(value);
        expect([row.id, name, validate.errors]).toEqual([row.id, name, null]);
      }
    }
    expect(examples).toBeGreaterThan(40);
  });

  it('gives every path parameter an example that stands for one kind of thing', () => {
    const known = new Set<string>(Object.values(EXAMPLE_IDS));
    for (const { id, examples } of OPERATIONS) {
      const names = [...(rows.find((row) => row.id === id)?.path.matchAll(/:(\w+)/g) ?? [])].map(([, name]) => name);
      for (const { params = {}, form = {} } of examples) {
        expect([id, Object.keys(params).sort()]).toEqual([id, names.sort()]);
        expect(Object.values(params).filter((value) => !known.has(value))).toEqual([]);
        for (const field of Object.keys(form)) expect(FILE_FIELDS.has(field) || form[field] !== undefined).toBe(true);
      }
    }
  });

  it('describes what an alert posts', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    ajv.addSchema({ $id: 'api', ...createApiDocument({ replies: 'closed' }) });
    const limit = { name: 'l', measure: 'tokens', window: 'day', windowEnd: null, amount: '10', partition: null };
    const anomaly = { apiKeyId: 'k', hour: '2026-10-01T13:00:00.000Z', usual: '1', sensitivity: 'high' };
    const details = { limit: { unit: 'tokens', limit }, anomaly: { unit: 'USD', anomaly } } as const;
    const amounts = { percentage: '80', threshold: 8n, value: 9n, firedAtMs: 0, period: '2026-10' };
    for (const scope of ALERT_SCOPES)
      for (const kind of ['crossed', 'recovered', 'test'] as const)
        for (const repetition of [0, 1]) {
          const target = { id: 'f', alertId: 'a', organizationId: 'o', scope, kind, scopeId: 'g/m', scopeName: null, repetition };
          const known = scope === 'limit' || scope === 'anomaly' ? details[scope] : {};
          ajv.validate(
            { $ref: 'api#/components/schemas/AlertNotice' },
            JSON.parse(encodeAlertNotice({ ...target, ...amounts, details: known })),
          );
          expect([scope, kind, ajv.errors]).toEqual([scope, kind, null]);
        }
  });

  it('describes every header that the operations name, and what may be sent with an inference request', () => {
    const { headers, parameters } = document.components as Record<string, Record<string, unknown>>;
    const chat = document.paths['/v1/chat/completions']?.['post'] as unknown as { parameters: { $ref: string }[] };
    const referred = [...JSON.stringify(document).matchAll(/#\/components\/(headers|parameters)\/([\w-]+)/g)];

    for (const [, kind, name = ''] of referred) expect(kind === 'headers' ? headers : parameters).toHaveProperty([name]);
    expect(chat.parameters.map(({ $ref }) => $ref.split('/').pop())).toEqual(Object.keys(parameters ?? {}));
  });

  it('knows refusals by guardrails, and those that wait for a first request', () => {
    const { responses } = described(rows.find(({ id }) => id === 'messages')!);

    expect(responses['403']).toMatchObject({
      description: expect.stringContaining('`guardrail_blocked`') as string,
      headers: { 'x-weir-guardrail': {}, 'request-id': {} },
    });
    expect(responses['409']).toHaveProperty(['headers', 'retry-after']);
    expect(responses['413']).not.toHaveProperty(['headers', 'retry-after']);
  });

  it('is open for members to come, unless it is asked for closed replies', () => {
    const closed = createApiDocument({ replies: 'closed' });

    expect(document.components.schemas['ApiKey']).not.toHaveProperty('additionalProperties');
    expect(closed.components.schemas['ApiKey']).toHaveProperty('additionalProperties', false);
    expect(document.components.schemas['CreateApiKey']).toHaveProperty('additionalProperties', false);
  });
});
