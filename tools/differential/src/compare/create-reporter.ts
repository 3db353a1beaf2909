import type { Group } from '../requests/plan-requests';
import type { Difference } from './compare-sights';

export type Reporter = {
  note(differences: readonly Difference[]): void;
  /** Reports what was not shown; returns all. */
  end(): Difference[];
};

/** Of differences that look alike so many are shown. */
const SHOWN_OF_EACH = 2;
const BODY_SHOWN = 600;
const UNPRINTABLE = /[^\n\P{Cc}]|\ufffd/gu;

/** Reports differences as they are found, with the requests that caused them, and few of those that look alike. */
export function createReporter(groups: readonly Group[], report: (line: string) => void): Reporter {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const alike = new Map<string, Difference[]>();
  const all: Difference[] = [];
  return {
    note: (differences) => {
      for (const difference of differences) {
        all.push(difference);
        const same = alike.get(likeness(difference)) ?? [];
        alike.set(likeness(difference), [...same, difference]);
        if (same.length < SHOWN_OF_EACH) report(describe(difference, byId));
      }
    },
    end: () => {
      for (const same of alike.values()) if (same.length > SHOWN_OF_EACH) report(summarize(same));
      return all;
    },
  };
}

/** What differences have in common whose cause is likely to be one: the place, and the lines without numbers and marks. */
function likeness({ place, lines }: Difference): string {
  const changed = lines.slice(1).map((line) => line.replace(/ = .*|mark-[a-z]+-|<[^>]*>|\d+/g, '·').slice(0, 60));
  return [place, ...changed].join('\n');
}

function summarize(same: readonly Difference[]): string {
  const more = same.slice(SHOWN_OF_EACH).map(({ subject }) => subject);
  return `\n${more.length} more like ${same[0]?.subject ?? ''} (${same[0]?.place ?? ''}): ${more.slice(0, 12).join('; ')}${more.length > 12 ? '; …' : ''}`;
}

function describe({ subject, place, lines }: Difference, byId: ReadonlyMap<string, Group>): string {
  const [, id = '', number] = /^(.*), request (\d+)$/.exec(subject) ?? [];
  const request = byId.get(id)?.requests[Number(number) - 1];
  const sent = request === undefined ? [] : [`  sent: ${describeRequest(request)}`];
  return ['', `DIFFERS ${subject}: ${place}`, ...sent, ...lines.map((line) => `  ${line}`)].join('\n');
}

function describeRequest({ key, method, path, headers = {}, body }: Group['requests'][number]): string {
  const text = body === undefined ? '' : Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : JSON.stringify(body);
  const who = key === null ? 'no key' : typeof key === 'string' ? `key ${key}` : 'another key';
  return `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} (${who}) ${JSON.stringify(headers)} ${text.slice(0, BODY_SHOWN).replace(UNPRINTABLE, '·')}`;
}
