import {
  ACCOUNT_ANSWER,
  ACCOUNT_QUESTION,
  ACCOUNT_QUESTION_MS_MAX,
  accountQuestion,
  sealedMessage,
  type AccountInspection,
  type AccountProbe,
  type AccountQuestion,
} from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { parseJsonBody, readBody } from '@weir/http-server';
import { inspectAccount, type ProviderAccounts } from '@weir/providers';
import type { TransitSealer } from '@weir/sealing';
import type { IncomingMessage, ServerResponse } from 'node:http';

type AccountHandlerParts = {
  readonly accounts: Pick<ProviderAccounts, 'findProblem' | 'secretOf' | 'probe'>;
  /** Uses the secret that this service shares with the gateway. */
  readonly seal: TransitSealer;
  readonly now: () => number;
};

const BODY_BYTES_MAX = 1024 * 1024;

/** Checks account fields for the management interface, which calls no provider itself: are they complete, and does the provider accept them. */
export function createAccountHandler(parts: AccountHandlerParts): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const question = openQuestion(parts, await readBody(request, BODY_BYTES_MAX));
    const answer = await inspectOrProbe(parts, question);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ sealed: parts.seal.seal(JSON.stringify(answer), ACCOUNT_ANSWER) }));
  };
}

/** Throws `permission_denied` for a message that was not sealed a moment ago with the shared secret. */
function openQuestion({ seal, now }: AccountHandlerParts, body: Buffer): AccountQuestion {
  try {
    const { sealed } = sealedMessage.parse(parseJsonBody(body).json);
    const question = accountQuestion.parse(JSON.parse(seal.open(sealed, ACCOUNT_QUESTION)));
    if (Math.abs(now() - question.askedAtMs) <= ACCOUNT_QUESTION_MS_MAX) return question;
  } catch (error) {
    throw notAsked(error);
  }
  throw notAsked();
}

function notAsked(cause?: unknown): GatewayError {
  return new GatewayError('permission_denied', 'This service takes requests from the gateway only.', { cause });
}

async function inspectOrProbe({ accounts }: AccountHandlerParts, question: AccountQuestion): Promise<AccountInspection | AccountProbe> {
  const { kind, provider, fields } = question;
  if (kind === 'probe') return accounts.probe(provider, fields);
  return inspectAccount(accounts, provider, fields);
}
