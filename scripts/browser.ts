import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { nodeTool, runTool } from './tool.ts';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Finds a Chromium for the end-to-end tests, or fetches one: CHROME_PATH, the machine's own, Playwright's, or as
 * root Debian's package. Throws an error that names the command to run when there is none.
 */
export async function findBrowser(): Promise<string> {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (await runs(given)) return given;
    throw new Error(
      `CHROME_PATH names ${given}, which does not run: point it at a Chromium or Chrome, or unset it.`,
    );
  }
  return (await onMachine()) ?? (await fetched());
}

async function onMachine(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin', '/snap/bin');
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return firstThatRuns([...paths, ...ELSEWHERE, chromium.executablePath()]);
}

async function fetched(): Promise<string> {
  console.log('No browser was found: fetching one …');
  await runTool(nodeTool('node_modules/@playwright/test/cli.js', 'install', 'chromium'), { minutes: 3 });
  const own = await firstThatRuns([chromium.executablePath()]);
  if (own) return own;
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runTool(['apt-get', 'update'], { minutes: 2, env });
    await runTool(['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'], { minutes: 4, env });
    const packaged = await onMachine();
    if (packaged) return packaged;
  }
  throw new Error(
    'No browser was found and none could be fetched: run `npx playwright install --with-deps chromium`, or `apt-get install chromium` as root, or name a Chromium in CHROME_PATH.',
  );
}

async function firstThatRuns(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await runs(path)) return path;
  }
  return undefined;
}

/** Some systems have a file of that name which only says how to install it. */
async function runs(path: string): Promise<boolean> {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  const { ok, output } = await runTool([path, '--version'], { minutes: 0.5 });
  return ok && /\d+\.\d+/.test(output);
}
