import type { AlertNotice } from './alert-notice';
import { writeAlertMessage } from './write-alert-message';

/** Names that call on people; Slack itself spells them `<!here>`, which is escaped, others take the plain text. */
const CALLS_ON_PEOPLE = /@(?=(?:here|channel|everyone|all)\b)/gi;
const TEXT_MAX = 2_900;

/** The JSON body for an address that takes Slack's incoming webhooks: a text for those that know nothing else, and blocks. */
export function encodeSlackMessage(notice: AlertNotice): string {
  const { title, facts } = writeAlertMessage(notice);
  const head = `*${escapeText(title)}*`;
  const lines = facts.map(({ label, text }) => `${label}: ${escapeText(text)}`);
  return JSON.stringify({
    text: [head, ...lines].join('\n').slice(0, TEXT_MAX),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: head.slice(0, TEXT_MAX) } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: lines.join('\n').slice(0, TEXT_MAX) }] },
    ],
  });
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(CALLS_ON_PEOPLE, '@\u200b');
}
