import { globSync } from 'node:fs';
import { testDatabase } from '../../../tests/support/database.ts';
import { storageSuite } from '../../../tests/support/storage-suite.ts';

const database = await testDatabase();

storageSuite(database, () => globSync('{objects/*/*,pending/*}', { cwd: database.folder }));
