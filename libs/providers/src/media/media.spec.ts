import { createLossReport } from '@weir/canonical';
import sharp from 'sharp';
import { buildFile, buildSpeechRequest, buildTranscriptionRequest, hear } from '../__fixtures__/build-media';
import { readBase64 } from './base64';
import { drawMask } from './draw-mask';
import { findVoice } from './find-voice';
import { joinWords } from './join-words';
import { createJsonEvents } from './json-events';
import { limitSpeed } from './limit-speed';
import { findNearestRatio, findNearestSize, parseSize } from './nearest-size';
import { createAudioPass } from './pass-audio';
import { createWholeSpeech } from './whole-speech';
import { pickFormFields, reportTranscriptionLosses } from './report-transcription-losses';

const code = (name: string) => expect.objectContaining({ code: name }) as Error;

describe('sizes', () => {
  const RATIOS = ['1:1', '3:4', '4:3', '16:9'];
  const ratio = (size: string, square?: number) => {
    const losses = createLossReport();
    const found = findNearestRatio(parseSize({ size }), square === undefined ? { ratios: RATIOS } : { ratios: RATIOS, square }, losses);
    return [found, ...losses.approximated];
  };

  it.each([
    ['auto', undefined, [undefined]],
    ['1024x1024', 1024, ['1:1']],
    ['1024x1024', undefined, ['1:1', 'size']],
    ['1536x1024', 1024, ['4:3', 'size']],
    ['1024x1536', 1024, ['3:4', 'size']],
    ['1920x1080', 1024, ['16:9', 'size']],
  ])('%s becomes the nearest shape', (size, square, expected) => {
    expect(ratio(size, square)).toEqual(expected);
  });

  it('prefer the shape to the area, and report only what differs', () => {
    const sizes = [
      { width: 512, height: 512 },
      { width: 1152, height: 768 },
      { width: 576, height: 384 },
    ];
    const losses = createLossReport();

    expect(findNearestSize({ width: 1536, height: 1024 }, sizes, losses)).toEqual(sizes[1]);
    expect([...losses.approximated]).toEqual(['size']);
    losses.approximated.clear();
    expect(findNearestSize({ width: 512, height: 512 }, sizes, losses)).toEqual(sizes[0]);
    expect([...losses.approximated]).toEqual([]);
  });

  it.each(['large', '0x10', '1024', '1x1x1', '-1x5'])('%s is refused by name', (size) => {
    expect(() => parseSize({ size })).toThrow(expect.objectContaining({ code: 'invalid_request', details: { field: 'size' } }));
  });
});

describe('voices', () => {
  const voices = { known: { kore: 'Kore', puck: 'Puck' } };

  it('are found whatever the letters, and raw identifiers go on as they are', () => {
    expect(findVoice(' KORE ', voices)).toBe('Kore');
    expect(findVoice('id-7', { ...voices, raw: /^id-\d$/ })).toBe('id-7');
  });

  it.each(['alloy', 'constructor', '__proto__', ''])('refuse %j and name those there are', (voice) => {
    expect(() => findVoice(voice, voices)).toThrow(/has kore, puck/);
    expect(() => findVoice(voice, voices)).toThrow(expect.objectContaining({ code: 'unsupported_field', details: { field: 'voice' } }));
  });
});

describe('speed', () => {
  it.each([
    [1, undefined, []],
    [1.1, 1.1, []],
    [4, 1.2, ['speed']],
    [0.25, 0.7, ['speed']],
  ])('%d is kept as near as it goes', (speed, expected, lost) => {
    const losses = createLossReport();

    expect(limitSpeed(buildSpeechRequest({ speed }), [0.7, 1.2], losses)).toBe(expected);
    expect([...losses.approximated]).toEqual(lost);
  });
});

describe('words', () => {
  const word = (text: string, start: number, speaker?: string) => ({
    word: text.trim(),
    text,
    start,
    end: start + 0.5,
    ...(speaker === undefined ? {} : { speaker }),
  });

  it('become segments by sentence, by silence and by speaker', () => {
    const heard = [
      word('One ', 0),
      word('two. ', 0.5),
      word('Three ', 1),
      word('four ', 9),
      word('five ', 9.5, 'b'),
      word('six?” ', 10, 'b'),
    ];

    expect(joinWords(heard)).toEqual([
      { id: 0, start: 0, end: 1, text: 'One two.' },
      { id: 1, start: 1, end: 1.5, text: 'Three' },
      { id: 2, start: 9, end: 9.5, text: 'four' },
      { id: 3, start: 9.5, end: 10.5, text: 'five six?”', speaker: 'b' },
    ]);
    expect(joinWords([])).toEqual([]);
  });
});

describe('masks', () => {
  it.each([
    ['black', [0, 0, 255, 255]],
    ['white', [255, 255, 0, 0]],
  ] as const)('are drawn with %s where they are transparent', async (mark, expected) => {
    const raw = { width: 4, height: 1, channels: 4 } as const;
    const mask = await sharp(Buffer.from([0, 127, 128, 255].flatMap((alpha) => [200, 9, 70, alpha])), { raw })
      .png()
      .toBuffer();

    const drawn = await sharp(Buffer.from(await drawMask(buildFile('image/png', mask), mark), 'base64'))
      .toColourspace('b-w')
      .raw()
      .toBuffer();

    expect([...drawn]).toEqual(expected);
  });

  it('are refused when they are no picture', async () => {
    await expect(drawMask(buildFile('image/png'), 'black')).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_request', details: expect.objectContaining({ field: 'mask' }) as object }),
    );
  });
});

describe('sound as it comes', () => {
  it('goes on byte by byte, with the characters a header counts', () => {
    expect(hear(createAudioPass({ 'content-type': 'audio/mpeg', 'x-count': '7' }, 'x-count'), 'abc', 1)).toMatchObject({
      sound: 'abc',
      usage: { characters: 7 },
    });
    expect(hear(createAudioPass({ 'x-count': 'many' }, 'x-count'), 'abc').usage).toBeUndefined();
  });

  it.each(['application/json', 'application/problem+json', 'text/html; charset=utf-8'])('is not %s', (type) => {
    expect(() => hear(createAudioPass({ 'content-type': type }), '{}')).toThrow(code('provider_unreadable'));
  });

  it('is not nothing', () => {
    expect(() => hear(createAudioPass({ 'content-type': 'audio/mpeg' }), '')).toThrow(code('provider_unreadable'));
  });
});

describe('sound inside one object', () => {
  it('is given up where it has no end', () => {
    const decoder = createWholeSpeech(() => [], false);
    const piece = new Uint8Array(32 * 1024 * 1024);

    expect([decoder.push(piece), decoder.push(piece)]).toEqual([[], []]);
    expect(() => decoder.push(Uint8Array.of(1))).toThrow(code('provider_unreadable'));
  });
});

describe('JSON among events', () => {
  const read = (body: string) => {
    const events = createJsonEvents((reported) => [reported]);
    return [...events.push(Buffer.from(body)), ...events.end()];
  };

  it('is given piece by piece, and a failure among them is thrown', () => {
    expect(read('data: {"a":1}\n\ndata: [DONE]\n\ndata: {"b":2}')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(() => read('data: {"error":{"code":429,"message":"slow"}}\n\n')).toThrow(code('provider_rate_limited'));
    expect(() => read('data: [1]\n\n')).toThrow(code('provider_unreadable'));
  });

  it.each([undefined, '', 7, 'a b', 'ab=c', '=', null])('holds base64, not %j', (value) => {
    expect(() => readBase64(value)).toThrow(code('provider_unreadable'));
  });
});

describe('options of transcriptions', () => {
  it('are reported by their public names where they are lost', () => {
    const losses = createLossReport();
    const request = buildTranscriptionRequest({
      language: 'de',
      prompt: 'p',
      temperature: 0,
      include: ['logprobs'],
      chunkingStrategy: 'auto',
      knownSpeakers: [{ name: 'Ada' }],
      unmapped: [
        { name: 'seed', value: '1' },
        { name: 'x', value: '2' },
      ],
    });

    reportTranscriptionLosses(request, ['language'], losses);

    expect(pickFormFields(request, new Set(['seed']), losses)).toEqual([{ name: 'seed', value: '1' }]);
    expect([...losses.dropped].sort()).toEqual(['include', 'known_speaker_names', 'prompt', 'temperature', 'x']);
  });
});
