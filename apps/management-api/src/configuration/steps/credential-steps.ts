import type { Fields, Step } from '@weir/configuration';
import { createProviderCredential } from '../../routes/provider-credentials/create-provider-credential.route';
import { deleteProviderCredential } from '../../routes/provider-credentials/delete-provider-credential.route';
import { rotateProviderCredential } from '../../routes/provider-credentials/rotate-provider-credential.route';
import { callRoute, idOf, type KindSteps, type StepTools } from './carry-out';

export const credentialSteps: KindSteps = {
  create: async (step, tools) => {
    const { account: _, ...fields } = step.fields;
    return { id: String((await callRoute(tools, createProviderCredential, { body: { ...fields, ...accountOf(step, tools) } }))['id']) };
  },
  update: async (step, tools) =>
    void (await callRoute(tools, rotateProviderCredential, { params: { id: idOf(step) }, body: accountOf(step, tools) })),
  remove: async (step, tools) => void (await callRoute(tools, deleteProviderCredential, { params: { id: idOf(step) } })),
};

/** As the interface takes an account: a key alone, or fields. */
function accountOf(step: Step, { secretsOf }: StepTools): Fields {
  const values = secretsOf(step);
  return Object.keys(values).join() === 'api_key' ? values : { fields: values };
}
