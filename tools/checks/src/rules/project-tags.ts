import type { Rule } from '../repository/repository';

/** Every project has exactly one type and one scope; the boundaries between projects are built on them. */
export const checkProjectTags: Rule = ({ projects }) =>
  projects.flatMap(({ folder, tags }) =>
    ['type:', 'scope:'].flatMap((kind) => {
      const count = tags.filter((tag) => tag.startsWith(kind)).length;
      return count === 1 ? [] : [`${folder}/package.json: has ${count} ${kind} tags, one is needed`];
    }),
  );
