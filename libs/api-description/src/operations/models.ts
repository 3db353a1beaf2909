import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { listQuery, managedList, managedQuery, modelListReply, modelReply, readQuery, VERSION_HEADER } from '../schemas/gateway/models';

const WITH_KEY = `With a key: the models that this key may use and that can be reached here, among those for chat its aliases and policies too. Without: those that this gateway can route. \`all=true\` adds models whose provider is not set up here. Every key may ask, also one that may not infer.\n\nWith the header \`${VERSION_HEADER}\` the list has the shape of that dialect: \`limit\`, \`after_id\` and \`before_id\` are obeyed, the newest models come first, and errors have its envelope.`;

function list(id: string, what: string): Operation {
  return {
    id,
    tag: 'Models',
    summary: `List ${what}`,
    about: WITH_KEY,
    query: listQuery,
    responses: { 200: { about: 'The list.', json: modelListReply } },
    errors: ['invalid_request'],
    examples: [
      { summary: 'Those that can be used here', status: 200 },
      { summary: 'With those whose provider is not set up', query: { all: 'true' }, status: 200 },
    ],
  };
}

export const MODEL_OPERATIONS: readonly Operation[] = [
  list('models', 'chat models'),
  list('models-chat', 'chat models (the same as `/v1/models`)'),
  list('models-embedding', 'embedding models'),
  list('models-image', 'image models'),
  list('models-transcription', 'transcription models'),
  list('models-speech', 'speech models'),
  list('models-all', 'models of all kinds'),
  {
    id: 'models-managed',
    tag: 'Models',
    summary: 'List routing policies',
    about:
      'With a key: the policies of its organization, and the built-in ones it can use. Without: the built-in ones that this gateway can route. `all=true` adds the built-in ones, and their members, that cannot be used here.',
    query: managedQuery,
    responses: { 200: { about: 'The policies.', json: managedList } },
    errors: ['invalid_request'],
    examples: [{ summary: 'Those that can be used here', status: 200 }],
  },
  {
    id: 'read-model',
    tag: 'Models',
    summary: 'Read a model',
    about: `By its id (slashes may be encoded or not), by the name that its vendor gives it (\`gpt-4o\`), or the record of an alias or a policy. With the header \`${VERSION_HEADER}\` the record has the shape of that dialect.`,
    query: readQuery,
    responses: { 200: { about: 'The model.', json: modelReply } },
    errors: ['invalid_request', 'model_not_found'],
    examples: [{ summary: 'What an alias stands for', params: { model: EXAMPLE_IDS.alias }, status: 200 }],
  },
];
