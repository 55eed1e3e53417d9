import { availableParallelism } from 'node:os';
import { nodeTool, runTool } from './tool.ts';

/** One thing that has to hold of the sources; its commands run one after the other. */
interface Check {
  name: string;
  commands: string[][];
}

const types = (project: string) =>
  nodeTool('node_modules/typescript/bin/tsc', '--noEmit', '-p', `tsconfig.${project}.json`);

/** The slowest first, so that they don't stand alone at the end. */
const CHECKS: Check[] = [
  { name: 'lint', commands: [nodeTool('node_modules/oxlint/bin/oxlint', '--type-aware')] },
  {
    name: 'types: browser',
    commands: [nodeTool('node_modules/@react-router/dev/bin.cjs', 'typegen'), types('web')],
  },
  { name: 'types: server', commands: [types('server')] },
  { name: 'types: pure code', commands: [types('pure')] },
  {
    name: 'boundaries',
    commands: [
      nodeTool(
        'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
        'src',
        '--config',
        '.dependency-cruiser.cjs',
      ),
    ],
  },
  { name: 'features', commands: [nodeTool('scripts/check-features.ts')] },
  { name: 'dead code', commands: [nodeTool('node_modules/knip/bin/knip.js')] },
  {
    name: 'format',
    commands: [nodeTool('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.')],
  },
];

/** Runs every check, as many at once as there are processors, and tells of each; answers their names and outcomes. */
export async function runChecks(): Promise<{ name: string; ok: boolean }[]> {
  const waiting = [...CHECKS];
  const results: { name: string; ok: boolean }[] = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      results.push({ name: check.name, ok: await runCheck(check) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  return results;
}

async function runCheck(check: Check): Promise<boolean> {
  let seconds = 0;
  for (const command of check.commands) {
    const result = await runTool(command, { minutes: 3 });
    seconds += result.seconds;
    if (result.ok) continue;
    console.log(`FAIL  ${check.name}  ${seconds.toFixed(1)} s\n${result.output.trim()}\n`);
    return false;
  }
  console.log(`ok    ${check.name}  ${seconds.toFixed(1)} s`);
  return true;
}

if (import.meta.main) {
  const results = await runChecks();
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}
