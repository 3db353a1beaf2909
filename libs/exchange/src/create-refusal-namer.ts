import type { Attempt } from '@weir/contracts';
import { GatewayError, isAccountRefusal } from '@weir/errors';
import type { AttemptsToRun } from '@weir/routing';

type SettingsOf = (providerId: string) => string | undefined;

/** Says in the error that ends a request what only its attempt knows: whose account was refused, and what serves instead. */
export function createRefusalNamer(settingsOf: SettingsOf) {
  return (error: unknown, attempt: Attempt, plan: AttemptsToRun): unknown => {
    if (!(error instanceof GatewayError)) return error;
    if (isAccountRefusal(error.code)) return reword(error, nameAccount(error, attempt, settingsOf));
    if (error.details.lacks === 'web_search') return reword(error, nameSearchers(attempt, plan));
    return error;
  };
}

function reword(error: GatewayError, message: string): GatewayError {
  return new GatewayError(error.code, message, { cause: error, ...error.details });
}

function nameAccount({ code }: GatewayError, attempt: Attempt, settingsOf: SettingsOf): string {
  const { providerId, isByok, credentialName } = attempt;
  const isUnpaid = code === 'provider_quota_exhausted';
  const problem = (account: string): string =>
    isUnpaid ? `reports that the account of ${account} has no credit left or is not active` : `refused ${account}`;
  if (isByok) {
    const account = credentialName === undefined ? "your organization's credential" : `your organization's credential "${credentialName}"`;
    return `The provider "${providerId}" ${problem(account)}. Ask an administrator of your organization to check it, rotate it or delete it.`;
  }
  const settings = attempt.accountId === undefined ? settingsOf(providerId) : `account "${attempt.accountId}"`;
  const setting = settings === undefined ? '' : ` (${settings})`;
  return `The provider "${providerId}" ${problem(`this gateway's key${setting}`)}. Ask the operator of the gateway to check it; your request is not at fault.`;
}

function nameSearchers({ modelId }: Attempt, { searchModels = [] }: AttemptsToRun): string {
  const names = searchModels.map((id) => `"${id}"`).join(' or ');
  const instead =
    names === ''
      ? 'Leave the web search out, or ask an administrator for a model that has it.'
      : `Use ${names}, or leave the web search out.`;
  return `The model "${modelId}" cannot search the web. ${instead}`;
}
