import { dirname, join, normalize } from 'node:path/posix';
import type { RepositoryFile, Rule } from '../repository/repository';

const LINK = /\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

/** Links between our own pages lead to files that exist, and to headings that are in them. */
export const checkDocLinks: Rule = ({ files }) => {
  const pages = new Map(files.filter(({ path }) => path.endsWith('.md')).map((file) => [file.path, file] as const));
  const paths = new Set(files.map(({ path }) => path));
  return [...pages.values()].flatMap((page) =>
    listLinks(page).flatMap((link) => {
      const [target = '', anchor] = link.split('#');
      const path = target === '' ? page.path : normalize(join(dirname(page.path), decodeURI(target))).replace(/\/$/, '');
      if (!paths.has(path) && ![...paths].some((one) => one.startsWith(`${path}/`))) return [`${page.path}: ${link} leads nowhere`];
      const aim = pages.get(path);
      if (anchor === undefined || aim === undefined || listAnchors(aim).has(anchor)) return [];
      return [`${page.path}: ${link} names a heading that is not there`];
    }),
  );
};

function listLinks({ text }: RepositoryFile): string[] {
  const links = [...text.replace(CODE, '').matchAll(LINK)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

/** As hosting sites make them of headings: lower case, without punctuation, dashes for spaces. */
function listAnchors({ text }: RepositoryFile): Set<string> {
  const headings = text
    .replace(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter((line) => /^#{1,6} /.test(line));
  return new Set(headings.map((line) => toAnchor(line.replace(/^#+ /, ''))));
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
