import type { AlertNotice } from './alert-notice';
import { writeAlertMessage } from './write-alert-message';

export type AlertEmail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same in every delivery of a notice, so that mailboxes recognise one that comes twice. */
  readonly messageId: string;
};

const SUBJECT_MAX = 180;
const AFTER_AT = /@([A-Za-z0-9.-]+)>?\s*$/;

/** A notice as an e-mail, from the address that it is sent from. */
export function encodeAlertEmail(notice: AlertNotice, from: string): AlertEmail {
  const { title, facts } = writeAlertMessage(notice);
  const rows = facts.map(
    ({ label, text }) => `<tr><th align="left" scope="row">${escapeHtml(label)}</th><td>${escapeHtml(text)}</td></tr>`,
  );
  return {
    subject: title.slice(0, SUBJECT_MAX),
    text: [title, '', ...facts.map(({ label, text }) => `${label}: ${text}`), ''].join('\n'),
    html: `<p><strong>${escapeHtml(title)}</strong></p>\n<table cellpadding="4">\n${rows.join('\n')}\n</table>\n`,
    messageId: `<alert-${notice.id}@${AFTER_AT.exec(from)?.[1] ?? 'weir.invalid'}>`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
