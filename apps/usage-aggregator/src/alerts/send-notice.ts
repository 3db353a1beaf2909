import type { ClaimedFiring } from '@weir/database';
import { encodeAlertEmail, encodeAlertNotice, encodeSlackMessage, signWebhook } from '@weir/limits';
import type { Mailer, SendOutcome } from './create-mailer';

/** Sends JSON to an address that a customer named; resolves with any status, rejects when there was no answer. */
export type SendWebhook = (webhook: {
  readonly url: string;
  readonly organizationId: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number }>;

export type ChannelParts = {
  /** The secret a webhook is signed with, or the address of the channel `slack`. */
  readonly openSecret: (firing: ClaimedFiring) => Promise<string>;
  readonly send: SendWebhook;
  /** Absent where the gateway has no mail server. */
  readonly mailer: Mailer | undefined;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
};

type Send = (parts: ChannelParts, firing: ClaimedFiring) => Promise<SendOutcome>;

const CHANNELS: Readonly<Record<ClaimedFiring['channel'], Send>> = { webhook: callWebhook, slack: postMessage, email: sendMail };

/** Sends a notice by the channel of its alert. What goes wrong is in the outcome, and never shows an address that is a secret. */
export async function sendNotice(parts: ChannelParts, firing: ClaimedFiring): Promise<SendOutcome> {
  try {
    return await CHANNELS[firing.channel](parts, firing);
  } catch (error) {
    return { isTaken: false, text: error instanceof Error ? error.message : String(error) };
  }
}

async function callWebhook(parts: ChannelParts, firing: ClaimedFiring): Promise<SendOutcome> {
  const { notice, url } = firing;
  const body = encodeAlertNotice(notice);
  const headers = { ...signWebhook(body, await parts.openSecret(firing), parts.now()), 'x-weir-delivery': notice.id };
  return readStatus(await parts.send({ url, organizationId: notice.organizationId, body, headers }));
}

async function postMessage(parts: ChannelParts, firing: ClaimedFiring): Promise<SendOutcome> {
  const { organizationId } = firing.notice;
  return readStatus(
    await parts.send({ url: await parts.openSecret(firing), organizationId, body: encodeSlackMessage(firing.notice), headers: {} }),
  );
}

async function sendMail({ mailer }: ChannelParts, { notice, recipients }: ClaimedFiring): Promise<SendOutcome> {
  if (mailer === undefined) return { isTaken: false, text: 'this gateway has no mail server' };
  return mailer.send({ ...encodeAlertEmail(notice, mailer.from), to: recipients });
}

function readStatus({ status }: { readonly status: number }): SendOutcome {
  return { isTaken: status >= 200 && status < 300, text: String(status) };
}
