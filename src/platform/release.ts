import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Folder with `migrations/`, `data/` and `build/`. */
export const release = new URL('./', pathToFileURL(findPackageJSON(import.meta.url)!));
