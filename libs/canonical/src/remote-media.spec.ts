import type { ChatTurn } from './chat-request';
import type { MediaSource } from './content';
import { listRemoteMedia, replaceSources } from './remote-media';

const picture: MediaSource = { kind: 'url', url: 'https://files.example/a.png', field: 'messages[0].content[0].image_url.url' };
const paper: MediaSource = { kind: 'url', url: 'https://files.example/a.pdf' };
const inline: MediaSource = { kind: 'base64', mediaType: 'image/png', data: 'AA==' };

const turns: ChatTurn[] = [
  {
    role: 'user',
    name: 'ann',
    content: [
      { type: 'text', text: 'https://files.example/a.png' },
      { type: 'image', source: picture, detail: 'low' },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'document', source: paper, filename: 'a.pdf' }] }] },
  { role: 'user', content: [{ type: 'image', source: inline }] },
];

it('finds media named by address in turns and in results of tools', () => {
  expect(listRemoteMedia(turns)).toEqual([
    { kind: 'image', source: picture },
    { kind: 'document', source: paper },
  ]);
});

it('replaces sources and nothing else', () => {
  const reported: MediaSource = { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERg==' };

  const replaced = replaceSources(turns, new Map([[paper, reported]]));

  expect(replaced).toEqual([
    turns[0],
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'document', source: reported, filename: 'a.pdf' }] }],
    },
    turns[2],
  ]);
  expect(listRemoteMedia(replaced)).toEqual([{ kind: 'image', source: picture }]);
});
