import { createTextWindow } from '../text/text-window';
import { createJsonChannel } from './json-channel';
import type { Channel } from './channel-port';
import type { Screen } from './screen';

export type { Channel, ChannelEdit } from './channel-port';

/**
 * `json`: the text is itself JSON, such as the arguments of a tool, and stays JSON whatever is replaced in it. `auto`: that
 * if it begins like an object.
 */
export type ChannelKind = 'text' | 'json' | 'auto';

export function createChannel(kind: ChannelKind, screen: Screen): Channel {
  screen.note();
  if (kind === 'text') return createTextChannel(screen);
  return kind === 'json' ? createJsonChannel(screen) : createAutoChannel(screen);
}

function createTextChannel(screen: Screen): Channel {
  const window = createTextWindow(screen.watches, screen.checks);
  return {
    push: (piece) => window.push(piece),
    end: () => window.end(),
    settled: () => window.settled(),
    takeEdits: () =>
      window.takeFindings().flatMap((finding) => {
        const { start, end } = finding;
        const replacement = screen.judge(finding, window.read(start, end));
        return replacement === undefined ? [] : [{ start, end, ...replacement }];
      }),
  };
}

function createAutoChannel(screen: Screen): Channel {
  let chosen: Channel | undefined;
  return {
    push: (piece) => {
      if (piece === '') return;
      chosen ??= piece.startsWith('{') ? createJsonChannel(screen) : createTextChannel(screen);
      chosen.push(piece);
    },
    end: () => chosen?.end(),
    settled: () => chosen?.settled() ?? 0,
    takeEdits: () => chosen?.takeEdits() ?? [],
  };
}
