import { nameInTraces } from './name-in-traces';

test('traces name providers as the conventions do, and others by their id', () => {
  expect(['openai', 'openai-responses', 'bedrock', 'vertex', 'sandbox'].map(nameInTraces)).toEqual([
    ...['openai', 'openai', 'aws.bedrock', 'gcp.vertex_ai', 'sandbox'],
  ]);
});
