import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';
import {
  countPlaywright,
  countVitest,
  type PlaywrightReport,
  slowestFirst,
  slowestJourneys,
  timeLine,
  type VitestReport,
} from './counts.ts';
import { findRelay } from './relay.ts';
import { nodeTool, runTool } from './tool.ts';

const maxMinutes = 120;

// `npm test` samples these; `expectFair` checks phone and desktop in both themes here.
const whole = globSync('{src,tests}/**/*.prove.ts');
const sampled = naming('{src,tests}/**/*.test.ts', /\/prove\.ts|tags: \['long'\]/);
const looks = naming('{src,tests}/**/*.test.tsx', /expectFair|tags: \['long'\]/);

const folder = mkdtempSync(join(tmpdir(), 'italk-prove-'));
const file = join(folder, 'vitest.json');
const journeysFile = join(folder, 'playwright.json');
const files = [...whole, ...sampled, ...looks].toSorted();
const env = {
  ...process.env,
  CI: 'true',
  TZ: 'Asia/Kathmandu',
  ITALK_PROVE: 'true',
  CHROME_PATH: await findBrowser(),
  TURNSERVER_PATH: await findRelay(),
};
const result = await runTool(
  nodeTool(
    'node_modules/vitest/vitest.mjs',
    'run',
    `--testTimeout=${maxMinutes * 60_000}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...files,
  ),
  { minutes: maxMinutes, show: true, env },
);
const walks = await runTool(
  nodeTool(
    'node_modules/@playwright/test/cli.js',
    'test',
    '--reporter=list,json',
    ...naming('tests/e2e/*.spec.ts', /ITALK_PROVE|tag: '@long'/),
    ...globSync('tests/e2e/*.prove.spec.ts'),
  ),
  { minutes: maxMinutes, show: true, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: journeysFile } },
);
const report = read<VitestReport>(file);
const walkReport = read<PlaywrightReport>(journeysFile);
rmSync(folder, { recursive: true, force: true });

const counts = [countVitest(report, result), countPlaywright(walkReport, walks)];
const passed = counts.reduce((sum, one) => sum + one.passed, 0);
const failed = counts.flatMap((one) => one.failed);
console.log('\n== The forty slowest proofs');
const timed = [...slowestFirst(report), ...slowestJourneys(walkReport)];
for (const one of timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, 40)) console.log(timeLine(one));
for (const one of failed) console.log(one);
const seconds = Math.round(result.seconds + walks.seconds);
console.log(`\n${passed} proved, ${failed.length} failed, in ${seconds} s`);
process.exitCode = failed.length === 0 ? 0 : 1;

function naming(kind: string, pattern: RegExp): string[] {
  return globSync(kind).filter((path) => pattern.test(readFileSync(path, 'utf8')));
}

function read<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    console.log(`The runner wrote no report ${path}.`);
    return undefined;
  }
}
