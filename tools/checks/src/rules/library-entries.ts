import type { Rule } from '../repository/repository';

/** Every library says in its first line what it does, and has a README. */
export const checkLibraryEntries: Rule = ({ projects, files }) =>
  projects
    .filter(({ folder }) => folder.startsWith('libs/'))
    .flatMap(({ folder }) => {
      const find = (name: string) => files.find(({ path }) => path === `${folder}/${name}`);
      return [
        ...(find('src/index.ts')?.text.startsWith('// This library ')
          ? []
          : [`${folder}/src/index.ts: must start with "// This library …"`]),
        ...(find('README.md') ? [] : [`${folder}/README.md: is missing`]),
      ];
    });
