import { readHouse } from './house/read-house';
import { RULES } from './rules';

const house = readHouse();

describe('the house', () => {
  it('is read as a whole', () => {
    expect(house.projects.length).toBeGreaterThan(25);
    expect(house.files.length).toBeGreaterThan(150);
  });

  it.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(house)).toEqual([]);
  });
});
