import { updateOrganization } from '../../routes/organization/update-organization.route';
import { callRoute, type KindSteps } from './carry-out';

const refuse = (): Promise<never> => Promise.reject(new Error('settings are neither made nor taken away'));

export const settingSteps: KindSteps = {
  create: refuse,
  remove: refuse,
  update: async (step, tools) => void (await callRoute(tools, updateOrganization, { body: { [step.name]: step.fields['value'] } })),
};
