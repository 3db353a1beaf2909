// Lints planted texts as if they lay in the repository: reads [{ path, text }] from stdin, writes the rule ids of each to stdout.
// A process of its own, because ESLint's configuration is an ES module.
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
// Rules with types need files that exist; the boundaries do not.
const eslint = new ESLint({ cwd: repository, overrideConfig: [{ files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked }] });

const found = [];
for (const sample of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(sample.text, { filePath: join(repository, sample.path), warnIgnored: true });
  found.push(result.messages.map((message) => message.ruleId ?? message.message));
}
process.stdout.write(JSON.stringify(found));
