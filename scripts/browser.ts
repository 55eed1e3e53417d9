import { chromium } from '@playwright/test';
import { firstThatRuns, installPackage, onMachine, runs } from './machine.ts';
import { nodeTool, runTool } from './tool.ts';

/** The headless shell comes first: it opens no window and uses 20% less CPU. */
const NAMES = [
  'chromium-headless-shell',
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
 * Minimum version. Older ones cache failed script loads for the page's lifetime
 * (https://github.com/whatwg/html/pull/10327), so lazy parts never recover after an outage.
 */
const OLDEST = 156;

/**
 * Finds or installs Chromium for end-to-end tests: CHROME_PATH, the system's, Playwright's, or as root Debian's
 * package. Throws an error naming the install command.
 */
export async function findBrowser(): Promise<string> {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (await runs(given, OLDEST)) return given;
    throw new Error(
      `CHROME_PATH names ${given}, which does not run or is older than ${OLDEST}: point it at a Chromium or Chrome of that version or later, or unset it.`,
    );
  }
  return (await found()) ?? (await fetched());
}

function found(): Promise<string | undefined> {
  return onMachine(NAMES, [...ELSEWHERE, chromium.executablePath()], OLDEST);
}

async function fetched(): Promise<string> {
  console.log(`No browser of version ${OLDEST} or later was found. Downloading one …`);
  await runTool(nodeTool('node_modules/@playwright/test/cli.js', 'install', 'chromium'), { minutes: 3 });
  const own = await firstThatRuns([chromium.executablePath()], OLDEST);
  if (own) return own;
  await installPackage('chromium-headless-shell');
  const packaged = await found();
  if (packaged) return packaged;
  throw new Error(
    `No browser of version ${OLDEST} or later was found and none could be fetched: run \`npx playwright install --with-deps chromium\`, or \`apt-get update && apt-get install chromium-headless-shell\` as root, or name a Chromium in CHROME_PATH.`,
  );
}
