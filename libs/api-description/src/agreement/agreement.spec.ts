import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { createApiDocument } from '../create-api-document';
import { OPERATIONS } from '../operations';
import { DECODERS, type Body } from './__fixtures__/decoders';
import { mutate } from './__fixtures__/mutate';
import { SPELLED_OUT } from './__fixtures__/spelled-out';

const document = createApiDocument();
const ajv = new Ajv2020({ strict: false, $data: false });
addFormats(ajv);
ajv.addSchema({ $id: 'api', ...document });

type Sample = { readonly id: string; readonly from: string; readonly body: Body };

const validators = new Map<string, ValidateFunction>();
function validatorOf(id: string): ValidateFunction {
  const known = validators.get(id) ?? ajv.compile({ $ref: `api#/components/schemas/${DECODERS[id]?.schema ?? ''}` });
  validators.set(id, known);
  return known;
}

/** What decoders do not look at, or only where nothing newer stands beside it; the document says what is meant to be there. */
const READ_LOOSELY = / with (?:no )?(?:stream_options|functions|function_call|\S*cache_control\.type)\b/;

/** Empty when schema and decoder say the same. */
function compare({ id, from, body }: Sample): string[] {
  const decoder = DECODERS[id];
  if (decoder === undefined) return [`${id} has no decoder`];
  const validate = validatorOf(id);
  const fits = validate(body);
  const refusal = decoder.findRefusal(body);
  if (fits === (refusal === undefined)) return [];
  // What a schema cannot say: how the inside of a text is written, and what refers to what.
  if (fits && refusal !== undefined && decoder.isBeyondSchemas.test(refusal)) return [];
  if (!fits && READ_LOOSELY.test(from)) return [];
  const reported = fits
    ? `fits, but is refused: ${String(refusal)}`
    : `is taken, but does not fit: ${ajv.errorsText(validate.errors).slice(0, 300)}`;
  return [`${id} ${from}: ${reported}`];
}

const ENDPOINT_OF: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat-completions',
  '/v1/responses': 'responses',
  '/v1/responses/input_tokens': 'count-input-tokens',
  '/v1/messages': 'messages',
  '/v1/messages?beta=true': 'messages',
  '/v1/messages/count_tokens': 'count-tokens',
};
const FOLDERS: Readonly<Record<string, string>> = {
  completions: 'chat-completions',
  messages: 'messages',
  responses: 'responses',
};

function readCapturedRequests(): Sample[] {
  const asked = listCaptures({ under: 'client-captures/', endsWith: '.json' }).flatMap((path) =>
    loadCaptures(path).flatMap(({ request }) => {
      const id = ENDPOINT_OF[request?.url ?? ''];
      return id === undefined || request?.method !== 'POST' ? [] : [{ id, from: path, body: request.body as Body }];
    }),
  );
  const written = Object.entries(FOLDERS).flatMap(([folder, id]) =>
    listCaptures({ under: `agentgateway+agentgateway/${folder}/req-`, endsWith: '.json' }).flatMap((path) =>
      loadCaptures(path).map(({ body }) => ({ id, from: path, body: JSON.parse(String(body)) as Body })),
    ),
  );
  return [...asked, ...written];
}

const ours: Sample[] = [
  ...OPERATIONS.filter(({ id }) => DECODERS[id] !== undefined).flatMap(({ id, examples }) =>
    examples.map(({ summary, body }) => ({ id, from: summary, body: body as Body })),
  ),
  ...SPELLED_OUT,
];

function mutations(samples: readonly Sample[], max: number): Sample[] {
  return samples.flatMap(({ id, from, body }) =>
    mutate(body, max).map((changed) => ({ id, from: `${from} with ${changed.what}`, body: changed.body })),
  );
}

describe('the schemas of inference requests and the decoders', () => {
  it('agree about bodies that use every field', () => {
    expect(ours.flatMap(compare)).toEqual([]);
    expect(ours.map(({ id, body }) => [id, DECODERS[id]?.findRefusal(body)]).filter(([, refusal]) => refusal !== undefined)).toEqual([]);
  });

  it('agree about what is wrong with them, one fault at a time', () => {
    const changed = mutations(ours, 2500);

    expect(changed.length).toBeGreaterThan(3000);
    expect(changed.flatMap(compare).slice(0, 20)).toEqual([]);
  });
});

describeWithFixtures('the schemas and what real clients sent', () => {
  it('agree', () => {
    const captured = readCapturedRequests();

    expect(captured.length).toBeGreaterThan(50);
    expect(captured.flatMap(compare)).toEqual([]);
  });

  it('agree about it with one fault at a time', () => {
    expect(mutations(readCapturedRequests(), 120).flatMap(compare).slice(0, 20)).toEqual([]);
  });
});
