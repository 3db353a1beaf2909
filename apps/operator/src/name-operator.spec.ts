import { nameOperator } from './name-operator';

describe('who works at the command line', () => {
  it('is the user of the system', () => {
    expect(nameOperator(() => 'ada')).toBe('ada');
    expect(nameOperator()).not.toBe('');
  });

  it('is a number where the system knows no name, as in a container', () => {
    const fail = (): never => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    };
    expect(nameOperator(fail)).toMatch(/^uid (\d+|unknown)$/);
  });
});
