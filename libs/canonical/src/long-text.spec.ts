import { isUnreadText, mayHoldUnread, placeLongText } from './long-text';

const open = () => ({ model: 'm', messages: [{ role: 'user', content: '' }] });

describe('a long text in a JSON value', () => {
  it('is read when it is asked for, and once', () => {
    const json = open();
    const read = jest.fn(() => 'long');
    placeLongText(json, { path: ['messages', 0, 'content'], read });
    const message = json.messages[0] as { content: string };
    expect([mayHoldUnread(json), isUnreadText(message, 'content'), read.mock.calls.length]).toEqual([true, true, 0]);
    expect([message.content, message.content, read.mock.calls.length]).toEqual(['long', 'long', 1]);
    expect(isUnreadText(message, 'content')).toBe(false);
    expect(JSON.stringify(json)).toBe('{"model":"m","messages":[{"role":"user","content":"long"}]}');
  });

  it('is the text of its own object, whatever stands under the same name elsewhere', () => {
    const [first, second] = [open(), open()];
    placeLongText(first, { path: ['messages', 0, 'content'], read: () => 'one' });
    placeLongText(second, { path: ['messages', 0, 'content'], read: () => 'two' });
    expect({ ...second.messages[0] }).toEqual({ role: 'user', content: 'two' });
    expect(first.messages[0]?.content).toBe('one');
  });

  it('can be replaced unread', () => {
    const json = open();
    const read = jest.fn(() => 'long');
    placeLongText(json, { path: ['messages', 0, 'content'], read });
    (json.messages[0] as { content: string }).content = 'other';
    expect([json.messages[0]?.content, isUnreadText(json.messages[0] as object, 'content'), read.mock.calls.length]).toEqual([
      'other',
      false,
      0,
    ]);
  });

  it('is there at once under a name that is one of too many', () => {
    for (let number = 0; number < 400; number += 1) {
      const json = { [`name-${number}`]: '' };
      placeLongText(json, { path: [`name-${number}`], read: () => 'long' });
      expect(json[`name-${number}`]).toBe('long');
    }
    const json: { late: string } = { late: '' };
    placeLongText(json, { path: ['late'], read: () => 'long' });
    expect(isUnreadText(json, 'late')).toBe(false);
    expect(json).toEqual({ late: 'long' });
  });
});
