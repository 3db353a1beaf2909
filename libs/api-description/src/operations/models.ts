import type { Operation } from '../operation';
import { managedList, modelList } from '../schemas/gateway/models';

const WITH_KEY =
  'With a key: the models that this key may use and that can be reached here, among those for chat its aliases and policies too. Without: all public ones.';

function list(id: string, what: string): Operation {
  return {
    id,
    tag: 'Models',
    summary: `List ${what}`,
    about: WITH_KEY,
    answers: { 200: { about: 'The list.', json: modelList } },
    examples: [{ summary: 'All of them', status: 200 }],
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
    about: 'With a key: the policies of its organization, and the built-in ones it can use. Without: the built-in ones.',
    answers: { 200: { about: 'The policies.', json: managedList } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
];
