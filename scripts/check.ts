import { availableParallelism } from 'node:os';
import { type Check, checks } from './checks.ts';
import { nodeTool, runTool } from './tool.ts';

const ROUTES: Check = {
  name: 'types of the routes',
  program: 'node_modules/@react-router/dev/bin.cjs',
  args: ['typegen'],
};

/** Runs all checks in parallel, one per processor, and reports each when it ends. */
export async function runChecks(): Promise<{ name: string; ok: boolean }[]> {
  const waiting = [...checks];
  const results = [{ name: ROUTES.name, ok: await runCheck(ROUTES) }];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      results.push({ name: check.name, ok: await runCheck(check) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  return results;
}

async function runCheck({ name, program, args, env }: Check): Promise<boolean> {
  const { ok, output, seconds } = await runTool(nodeTool(program, ...args), {
    minutes: 10,
    env: { ...process.env, ...env },
  });
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  ${seconds.toFixed(1)} s`);
  if (!ok) console.log(`${output.trim()}\n`);
  return ok;
}

if (import.meta.main) {
  const results = await runChecks();
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}
