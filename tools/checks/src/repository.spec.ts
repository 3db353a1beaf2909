import { readRepository } from './repository/read-repository';
import { RULES } from './rules';

const repository = readRepository();

describe('the repository', () => {
  it('is read as a whole', () => {
    expect(repository.projects.length).toBeGreaterThan(25);
    expect(repository.files.length).toBeGreaterThan(150);
  });

  it.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(repository)).toEqual([]);
  });
});
