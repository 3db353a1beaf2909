import fc from 'fast-check';
import { packVector, unpackVector } from './embedding';

describe('packed vectors', () => {
  it('are float32 values, little-endian, in standard base64', () => {
    expect(packVector([1, -2, 0.5])).toBe(Buffer.from(new Float32Array([1, -2, 0.5]).buffer).toString('base64'));
    expect(packVector([1])).toBe('AACAPw==');
  });

  it('come back as the same float32 values', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 64 }), (vector) => {
        expect(unpackVector(packVector(vector)).map((value) => Math.fround(value) + 0)).toEqual(vector.map((value) => value + 0));
      }),
    );
  });

  it('read as short numbers, not as the binary fraction behind them', () => {
    expect(unpackVector(packVector([0.1, 0.017608326]))).toEqual([0.100000001, 0.0176083259]);
  });

  it('pass through what is in the wanted form already', () => {
    const vector = [0.1, 0.2];
    expect(unpackVector(vector)).toBe(vector);
    expect(packVector('AACAPw==')).toBe('AACAPw==');
  });

  it.each(['', '!!', 'AAA='])('refuses %j', (text) => {
    expect(() => unpackVector(text)).toThrow(RangeError);
  });
});
