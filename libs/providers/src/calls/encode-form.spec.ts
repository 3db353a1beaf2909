import { createMediaFile } from '@weir/canonical';
import { encodeForm } from './encode-form';

describe('a multipart body', () => {
  it('has the length it says, and is read back by others', async () => {
    const form = encodeForm([
      { kind: 'field', name: 'prompt', value: 'zwei\r\nZeilen ✓' },
      { kind: 'field', name: 'a"b', value: '' },
      { kind: 'file', name: 'image[]', file: createMediaFile(Buffer.from([0, 13, 10, 255]), { name: 'grün"\r\n.png', type: 'image/png' }) },
      { kind: 'file', name: 'file', file: createMediaFile(Buffer.from('x'), { name: 'speech', type: 'audio/mpeg' }) },
    ]);
    const pieces: Uint8Array[] = [];
    for await (const piece of form.body) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    expect(bytes.length).toBe(form.length);

    const read = await new Response(bytes, { headers: { 'content-type': form.contentType } }).formData();
    expect(read.get('prompt')).toBe('zwei\r\nZeilen ✓');
    expect([...read.keys()]).toEqual(['prompt', 'a"b', 'image[]', 'file']);
    const image = read.get('image[]') as File;
    expect([image.name, image.type, [...new Uint8Array(await image.arrayBuffer())]]).toEqual([
      'grün"\r\n.png',
      'image/png',
      [0, 13, 10, 255],
    ]);
    expect((read.get('file') as File).name).toBe('speech.mp3');
  });
});
