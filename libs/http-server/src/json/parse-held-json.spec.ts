import { parseHeldJson } from './parse-held-json';

it('reads what doubles hold, and names a number of which digits would be lost', () => {
  expect(parseHeldJson('{"a":0.30000000000000004,"b":[1e3]}')).toEqual({ a: 0.30000000000000004, b: [1000] });
  expect(() => parseHeldJson('{"amount":{"usd":[1,0.1000000000000000055]}}')).toThrow('`amount.usd[1]` has more digits');
  expect(() => parseHeldJson('{"monthly_limit":9007199254740993}')).toThrow('`monthly_limit` has more digits');
  expect(() => parseHeldJson('{"a":12345678901234567890')).toThrow(SyntaxError);
});
