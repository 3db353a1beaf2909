import { alphanumericOr, isAlphanumeric, isFarLetter } from './characters';
import type { Detector } from './detector';
import { findOpenRun } from './shape';

const LOCAL_MAX = 64;
/** Local part, `@`, six labels and a top level. */
const REACH = 512;
const isLocalAscii = alphanumericOr("!#$%&'*+/=?^_`{|}~.-");
const isLocal = (code: number): boolean => isLocalAscii(code) || isFarLetter(code);
const isPartAscii = alphanumericOr("!#$%&'*+/=?^_`{|}~.-@:");
const isPart = (code: number): boolean => isPartAscii(code) || isFarLetter(code);
const DOMAIN =
  /(?:[A-Za-z0-9À-ԯ](?:[A-Za-z0-9À-ԯ-]{0,61}[A-Za-z0-9À-ԯ])?\.){1,6}(?:xn--[A-Za-z0-9-]{2,58}|[A-Za-zÀ-ԯ]{2,24})(?![A-Za-z0-9À-ԯ]|-[A-Za-z0-9])/y;
/** `logo@2x.png` names a file. */
const DENSITY = /^\dx\./;
/** `git@host:team/project` names a repository. */
const ADDRESS_OF_REPOSITORY = /:[A-Za-z0-9_~./-]/y;

/** E-mail addresses. */
export const emails: Detector = {
  name: 'email',
  find: ({ text, from }, report) => {
    for (let at = text.indexOf('@', from); at !== -1; at = text.indexOf('@', at + 1)) {
      const start = findStart(text, at);
      const end = start === at || start < from ? undefined : findEnd(text, at);
      if (end !== undefined) report(start, end);
    }
  },
  pendingFrom: (text, from) => findOpenRun(text, from, { isPart, isStart: isLocal, reach: REACH }),
};

function findStart(text: string, at: number): number {
  const least = Math.max(0, at - LOCAL_MAX);
  let start = at;
  while (start > least && isLocal(text.charCodeAt(start - 1))) start -= 1;
  // Quotes and slashes around an address are allowed inside one, but hardly ever meant.
  while (start < at && !isAlphanumeric(text.charCodeAt(start)) && !isFarLetter(text.charCodeAt(start))) start += 1;
  return text.charCodeAt(at - 1) === 0x2e ? at : start;
}

function findEnd(text: string, at: number): number | undefined {
  DOMAIN.lastIndex = at + 1;
  const domain = DOMAIN.exec(text)?.[0];
  if (domain === undefined || DENSITY.test(domain)) return undefined;
  const end = at + 1 + domain.length;
  ADDRESS_OF_REPOSITORY.lastIndex = end;
  return ADDRESS_OF_REPOSITORY.test(text) ? undefined : end;
}
