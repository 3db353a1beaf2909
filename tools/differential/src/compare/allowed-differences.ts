import type { Place } from './place';

/** Something that differs between two runs of the same build, and why. What no row names has to be equal. */
export type AllowedDifference = {
  readonly name: string;
  readonly reason: string;
  readonly places: readonly Place[];
  /** Matches what differs; groups are kept as `$1` in `becomes`. */
  readonly pattern: RegExp;
  readonly becomes: string;
};

/** A moment of this decade, in seconds and in milliseconds since 1970. */
const SECONDS = String.raw`1[789]\d{8}`;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Lines `path = value` of a record. */
function members(...names: readonly string[]): RegExp {
  return new RegExp(`^((?:.*\\.)?(?:${names.join('|')}) = )(?!null$).*$`, 'gm');
}

export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  { name: 'date of a response', reason: 'the clock', places: ['response-head'], pattern: /^(date: ).*$/gim, becomes: '$1<date>' },
  {
    name: 'moments in responses of translated dialects',
    reason: 'the clock: when the reply was made, where the provider does not say it',
    places: ['response-body'],
    pattern: new RegExp(`("(?:created|created_at|completed_at|expires_at)":)(?!1700000000)${SECONDS}(?:\\d{3})?(?=[,}])`, 'g'),
    becomes: '$1<moment>',
  },
  {
    name: 'moments of events, log lines and generations',
    reason: 'the clock',
    places: ['event', 'log', 'generation'],
    pattern: members('admitted_at', 'ended_at', 'time', 'created_at', 'started_at'),
    becomes: '$1<moment>',
  },
  {
    name: 'durations of events, log lines and generations',
    reason: 'how long something takes is no part of what it does',
    places: ['event', 'log', 'generation'],
    pattern: members('dur_ms', 'ttft_ms', 'durationMs', 'duration_ms', 'waitedMs', 'first_byte_milliseconds', 'milliseconds'),
    becomes: '$1<duration>',
  },
  {
    name: 'durations in headers',
    reason: 'how long something takes is no part of what it does; asked for by x-weir-debug',
    places: ['response-head'],
    pattern: /^(x-weir-(?:overhead|provider)-ms: ).*$/gim,
    becomes: '$1<duration>',
  },
  {
    name: 'waits in headers and texts of refused requests',
    reason: 'the clock: what is left of a period',
    places: ['response-head'],
    pattern: /^(retry-after: |x-ratelimit-reset-requests: ).*$/gim,
    becomes: '$1<wait>',
  },
  {
    name: 'boundary of a form',
    reason: 'drawn by chance for each form',
    places: ['call'],
    pattern: /weir-[0-9a-f]{32}/g,
    becomes: '<boundary>',
  },
  {
    name: 'hold of an event',
    reason: 'a generated id',
    places: ['event'],
    pattern: new RegExp(`^(hold_id = ")${UUID}`, 'gm'),
    becomes: '$1<hold>',
  },
  {
    name: 'kinds of garbage collection',
    reason: 'when the runtime collects, and how, is its own affair; a kind is on the page from its first time on',
    places: ['metric'],
    pattern: /^nodejs_gc_duration_seconds_\w+\{.*\n/gm,
    becomes: '',
  },
  {
    name: 'what the process and the runtime count',
    reason: 'work of the machine, not of requests; that they are there is compared',
    places: ['metric'],
    pattern: /^((?:process|nodejs)_\S*) .*$/gm,
    becomes: '$1',
  },
  {
    name: 'id of a question about a request',
    reason: 'the question is a request with an id of its own, which its refusal names',
    places: ['generation'],
    pattern: /^(error\.request_id = ).*$/gm,
    becomes: '$1<id>',
  },
  {
    name: 'label sets of an event',
    reason: 'generated ids; their labels are compared where usage is summed',
    places: ['event'],
    pattern: new RegExp(`^((?:key|group)_label_set_id = ")${UUID}`, 'gm'),
    becomes: '$1<set>',
  },
];
