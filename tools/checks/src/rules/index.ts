import type { Rule } from '../repository/repository';
import { checkDataFiles } from './data-files';
import { checkDecisionRecords } from './decision-records';
import { checkDocLinks } from './doc-links';
import { checkDocTables } from './doc-tables';
import { checkDocumentedSettings } from './documented-settings';
import { checkExportedNames } from './exported-names';
import { checkFolderCycles } from './folder-cycles';
import { checkImportCycles } from './import-cycles';
import { checkMigrations } from './migrations';
import { checkNamedScripts } from './named-scripts';
import { checkNames } from './names';
import { checkNativeFolders } from './native-folders';
import { checkPlainWords } from './plain-words';
import { checkProjectTags } from './project-tags';
import { checkMachinePaths, checkUnfinishedMarks } from './prose-marks';
import { checkReadmePaths } from './readme-paths';
import { checkLibraryEntries } from './library-entries';
import { checkSizes } from './sizes';
import { checkVendorNames } from './vendor-names';

/** All rules of the repository. */
export const RULES: Readonly<Record<string, Rule>> = {
  'every project has one type and one scope': checkProjectTags,
  'every library says what it does and has a README': checkLibraryEntries,
  'folders and files have meaningful names': checkNames,
  'no file is too long': checkSizes,
  'nothing is marked as unfinished': checkUnfinishedMarks,
  'no file names a path of one machine': checkMachinePaths,
  'everything uses the words of the glossary': checkPlainWords,
  'every JSON file parses': checkDataFiles,
  'every decision has a status': checkDecisionRecords,
  'the README and the page of the architecture lead to places that exist': checkReadmePaths,
  'native providers have an entry and are listed': checkNativeFolders,
  'the core names no vendor': checkVendorNames,
  'files do not import each other in circles': checkImportCycles,
  'folders of a project do not import each other in circles': checkFolderCycles,
  'libraries export by name, and only what is used': checkExportedNames,
  'links between pages lead somewhere': checkDocLinks,
  'tables of pages are tables': checkDocTables,
  'scripts that pages name are there': checkNamedScripts,
  'every setting is documented': checkDocumentedSettings,
  'migrations only add': checkMigrations,
};
