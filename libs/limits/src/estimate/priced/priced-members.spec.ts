import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { plantWrongTypes } from '@weir/testing';
import { measureMedia } from '../media/measure-media';
import { READ_BY_PRESENCE, measurePrompt } from '../measure-prompt';
import { readAskedImages, readAskedOutput } from '../read-asked-output';
import { checkPricedMembers } from './check-priced-members';
import { PRICED_MEMBERS } from './priced-members';

const ENDPOINT_IDS = Object.keys(PRICED_MEMBERS);
/** Chat has these; here they can only make the estimate larger. */
const NOT_PROMPTS = ['messages', 'tools'];
const MEDIA = ['image-generations', 'image-edits', 'speech', 'transcriptions', 'translations'];

describe('members that decide about money', () => {
  it.each(ENDPOINT_IDS)('are refused by %s with every wrong JSON type, by their path', (endpointId) => {
    const planted = plantWrongTypes(PRICED_MEMBERS[endpointId] ?? {});
    expect(planted.length).toBeGreaterThan(10);
    for (const { field, member, value } of planted) {
      expect(() => {
        checkPricedMembers(endpointId, { [member]: value });
      }).toThrow(
        expect.objectContaining({
          status: 400,
          details: { field },
          message: expect.stringContaining(`${field} must be `) as string,
        }) as Error,
      );
    }
  });

  it.each(ENDPOINT_IDS)('may be null or absent for %s', (endpointId) => {
    const nulls = Object.fromEntries(Object.keys(PRICED_MEMBERS[endpointId] ?? {}).map((name) => [name, null]));
    expect(() => {
      checkPricedMembers(endpointId, nulls);
      checkPricedMembers(endpointId, {});
    }).not.toThrow();
  });

  it.each<[string, object]>([
    [
      'chat-completions',
      { n: 1.0, max_tokens: 1, stream: false, stream_options: { include_usage: null }, reasoning_effort: 512, stop: null },
    ],
    [
      'chat-completions',
      { n: 128, max_completion_tokens: 10 ** 9, modalities: ['text'], tools: [{ type: 'function', function: {} }], x: [] },
    ],
    ['responses', { input: 'x', max_output_tokens: 16, conversation: 'c', prompt: { id: 'p' }, tools: [{ type: 'web_search' }] }],
    ['messages', { max_tokens: 1, system: [], thinking: { type: 'enabled', budget_tokens: 1024 }, tools: [{ name: 'a', max_uses: null }] }],
    ['image-generations', { n: 100, quality: 'low', size: '1024x1024', partial_images: 0 }],
    ['speech', { input: 'x', speed: 0.25 }],
    ['list-files', { n: 'none of ours' }],
  ])('are taken by %s as its vendor documents them: %j', (endpointId, json) => {
    expect(() => {
      checkPricedMembers(endpointId, json as Record<string, unknown>);
    }).not.toThrow();
  });

  it.each<[string, object, string]>([
    ['chat-completions', { n: 0 }, 'n must be a whole number from 1 to 128'],
    ['chat-completions', { n: 129 }, 'n must be a whole number of at most 128'],
    ['chat-completions', { max_tokens: 0 }, 'max_tokens must be a whole number of at least 1'],
    ['chat-completions', { max_tokens: 1.5 }, 'max_tokens must be a whole number of at least 1'],
    ['chat-completions', { max_tokens: 1e300 }, 'max_tokens must be a whole number of at most 9007199254740991'],
    ['chat-completions', { tools: [{ type: 'function' }, null] }, 'tools[1] must be an object'],
    ['messages', { tools: [{ max_uses: 0 }] }, 'tools[0].max_uses must be a whole number of at least 1'],
    ['image-edits', { n: 101 }, 'n must be a whole number of at most 100'],
    ['speech', { speed: 5 }, 'speed must be a number from 0.25 to 4'],
  ])('are refused by %s out of range: %j', (endpointId, json, message) => {
    expect(() => {
      checkPricedMembers(endpointId, json as Record<string, unknown>);
    }).toThrow(`${message}.`);
  });

  it('have rows for every endpoint that costs money', () => {
    const priced = ENDPOINTS.filter(({ modality, service }) => modality !== undefined && service !== 'edge-router').map(({ id }) => id);
    expect(ENDPOINT_IDS.sort()).toEqual(priced.sort());
  });

  const priced: EndpointRow[] = ENDPOINTS.filter(({ id }) => ENDPOINT_IDS.includes(id));
  it.each(priced)('are all that the estimate reads by name of $id', ({ id, modality, dialect }) => {
    const read = new Set<string>();
    // Without members of its own, so that only reading by name is seen, not measuring by length.
    const json = new Proxy<Record<string, unknown>>({}, { get: (_, name) => void read.add(String(name)) });
    const isMedia = modality !== undefined && modality !== 'chat' && modality !== 'embedding';
    if (dialect !== undefined) readAskedOutput(json, dialect);
    if (modality === 'image') readAskedImages(json);
    if (isMedia) measureMedia({ modality, json, imageFiles: 0, audioSeconds: 0 });
    else measurePrompt(json, 100);
    // A member of one medium means nothing to the others.
    const rows = isMedia ? MEDIA.map((other) => PRICED_MEMBERS[other]) : [PRICED_MEMBERS[id]];
    const known = new Set([...READ_BY_PRESENCE, ...rows.flatMap((members = {}) => Object.keys(members))]);
    expect([...read].filter((name) => !known.has(name))).toEqual(modality === 'embedding' ? NOT_PROMPTS : []);
  });
});
