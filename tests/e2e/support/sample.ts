import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { sampledFiles } from '../../support/random.ts';

/** Whether all long journeys run. */
export const proving: boolean = process.env.ITALK_PROVE === 'true';

/** Minutes of waiting: only `npm run prove` runs it. */
const provenOnly = 'slow.prove.spec.ts';

let sampled: ReadonlySet<string> | undefined;

/** Whether a file's long journeys don't run. Needs the seed. */
export function isLeftOut(path: string): boolean {
  sampled ??= new Set(sampledFiles(Number(process.env.ITALK_SEED), longFiles()));
  return !proving && !sampled.has(basename(path));
}

function longFiles(): string[] {
  return globSync('tests/e2e/*.spec.ts')
    .filter((path) => path.endsWith('.prove.spec.ts') || readFileSync(path, 'utf8').includes("'@long'"))
    .map((path) => basename(path))
    .filter((file) => file !== provenOnly);
}
