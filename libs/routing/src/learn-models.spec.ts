import { GatewayError } from '@weir/errors';
import { makeAttempt } from './__fixtures__/make-attempt';
import { createRouteHealth } from './health/create-route-health';
import { createAttemptRunner } from './run-attempts';

const unknown = () => new GatewayError('provider_not_configured', 'The model is not known here.');
const plan = { attempts: [makeAttempt('acme/new')], stream: false, deadlineMs: Infinity };

function open(isNews: boolean) {
  const state = { isKnown: false, asked: 0 };
  const runner = createAttemptRunner({
    health: createRouteHealth({ now: () => 0 }),
    learnModels: () => {
      state.asked += 1;
      state.isKnown = isNews;
      return Promise.resolve(isNews);
    },
  });
  const run = (error = unknown()) =>
    runner
      .run(plan, ({ attempt }) => (state.isKnown ? Promise.resolve(attempt.modelId) : Promise.reject(error)))
      .then(({ opened }) => opened);
  return { state, run };
}

it('looks for news of a model that is not known, and makes the attempt again where there are', async () => {
  const { state, run } = open(true);
  expect([await run(), state.asked]).toEqual(['acme/new', 1]);
});

it('looks once, and refuses where there are none', async () => {
  const { state, run } = open(false);
  await expect(run()).rejects.toMatchObject({ code: 'provider_not_configured' });
  expect(state.asked).toBe(1);
});

it('looks for nothing where an attempt failed otherwise', async () => {
  const { state, run } = open(true);
  await expect(run(new GatewayError('provider_refused', 'No.'))).rejects.toMatchObject({ code: 'provider_refused' });
  expect(state.asked).toBe(0);
});
