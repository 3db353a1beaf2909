import type { Finding } from './compare-replies';
import type { ReplayedCapture } from './replayed-capture';

export type KnownDifference = {
  readonly name: string;
  /** Why it cannot be avoided or, for a fault of the gateway, what it is. */
  readonly reason: string;
  /** A fault of the gateway that is known and not fixed. */
  readonly isFault?: true;
  readonly explains: (finding: Finding, replayed: ReplayedCapture) => boolean;
};

/** Every way in which a response may differ from the provider's reply. A new row needs its reason. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    name: 'the vendor’s own words',
    reason:
      'Messages and responses reach the express lane from the vendor of the dialect only, whose bytes go on, its faults and its own way of counting included. Applies only where the official client, reading the raw capture without the gateway, finds exactly the same.',
    explains: ({ feature, problem }, { lane, dialect, direct }) =>
      lane === 'express' &&
      dialect !== 'chat-completions' &&
      direct.some(
        (own) => own.problem === problem || (own.feature === feature && feature === 'usage' && problem.startsWith('the journal')),
      ),
  },
  {
    name: 'citations without an address',
    reason:
      'Sources that are documents or files have no address. Responses name them as files and Messages by their place in the request; chat completions can cite addresses only, and no one has a word for the results of tools. What is lost is reported as `reply.citations`: in the header `x-weir-dropped`, or in a comment at the end of a stream.',
    explains: ({ problem }, { lane }) =>
      lane === 'translated' && problem === 'citations without an address are missing, as the reply reports',
  },
  {
    name: 'arguments cut off in the middle',
    reason:
      'A call that ran out of tokens has arguments that are no JSON. Messages has arguments as an object, so a whole reply holds the cut text in a member `_raw` of it.',
    explains: ({ feature, problem }, { dialect, expected }) =>
      dialect === 'messages' && expected.stop === 'length' && /tools$/.test(feature) && problem.includes('"_raw"'),
  },
  {
    name: 'an error outside the events',
    reason:
      'One recording ends with an error body that stands outside the events of its stream, after every candidate has given its reason to stop. Readers of event streams pass over such lines, as the standard asks.',
    explains: ({ problem }, { chat }) => /error-mid-stream/.test(chat.name) && problem.startsWith('it ended whole'),
  },
  {
    name: 'a count that usage lacks',
    reason:
      'One reply states the tokens of its prompt and none of what it says, which is not nothing. Our estimate stands in for the count, and is marked as one.',
    explains: ({ feature, problem }, { chat }) =>
      /partial-usage-metadata/.test(chat.name) && feature === 'usage' && /^output is \d+ instead of 0$/.test(problem),
  },
];
