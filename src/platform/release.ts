import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Folder with `migrations/`, `data/` and `build/`, the same for the sources and for the bundled program. */
export const release = new URL('./', pathToFileURL(findPackageJSON(import.meta.url)!));
