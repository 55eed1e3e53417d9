import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { environmentNames } from '../src/platform/environment.ts';
import { findBrowser } from './browser.ts';
import { runChecks } from './check.ts';
import {
  type Counts,
  type PlaywrightReport,
  type VitestReport,
  countPlaywright,
  countVitest,
  slowestFirst,
  slowestJourneys,
  timeLine,
  type Timed,
} from './counts.ts';
import { findRelay } from './relay.ts';
import { nodeTool, runTool } from './tool.ts';

/** Timeouts: several times the usual duration on two slow processors. */
const unitMinutes = 40;
const browserMinutes = 45;

/** About 200 lines. */
const REPORT_CHARACTERS = 20_000;

// They could point tests at real data, servers or email.
for (const name of environmentNames) delete process.env[name];
process.env.ITALK_SEED ??= String(randomInt(2 ** 31));
Object.assign(process.env, { CI: 'true', TZ: 'Asia/Kathmandu' });

const total: Counts = { passed: 0, failed: [], skipped: 0 };
const timed: Timed[] = [];
const layers: Timed[] = [];
/** Vitest's own reports of failures: its JSON omits why an action in the browser timed out. */
const runnerReports: string[] = [];
const reports = mkdtempSync(join(tmpdir(), 'italk-reports-'));

heading('Checks and build');
const began = performance.now();
// Neither alone keeps two processors busy.
const [checked, build] = await Promise.all([
  runChecks(),
  runTool(nodeTool('scripts/bootstrap.mjs', 'build'), { minutes: 10, show: true }),
]);
for (const { name, ok } of [...checked, { name: 'build', ok: build.ok }]) add(outcome(name, ok));

layers.push({ name: 'checks and build', seconds: (performance.now() - began) / 1000 });

heading('Browser');
const browser = await browserOrNone();

heading('Unit and command tests');
add(await vitestRun('unit and command tests', ['shared', 'alone', 'pages']));

heading('Component tests');
if (browser) add(await vitestRun('component tests', ['components']));

heading('Journeys');
if (browser) add(await journeys(browser));

rmSync(reports, { recursive: true, force: true });
process.exitCode = total.failed.length === 0 ? 0 : 1;
heading('The twenty slowest tests');
for (const one of timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20)) console.log(timeLine(one));
heading('Time of each layer');
for (const one of layers) console.log(timeLine(one));
// Repeated at the end, below thousands of passing lines.
if (total.failed.length > 0) heading('Failed');
for (const report of runnerReports) console.log(report.slice(-REPORT_CHARACTERS));
for (const failed of total.failed) console.log(failed);
if (total.skipped > 0) console.log('\nSkipped tests are long ones; `npm run prove` runs them all.');
console.log(`\n${total.passed} passed, ${total.failed.length} failed, ${total.skipped} skipped`);

async function vitestRun(name: string, projects: string[]): Promise<Counts> {
  const file = join(reports, `${projects[0]}.json`);
  const result = await runTool(
    nodeTool(
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ),
    { minutes: unitMinutes, show: true, env: { ...process.env, CHROME_PATH: browser } },
  );
  if (result.timedOut) console.log(`The tests were stopped after ${unitMinutes} minutes.`);
  const report = read(file) as VitestReport | undefined;
  timed.push(...slowestFirst(report));
  layers.push({ name, seconds: result.seconds });
  const counts = countVitest(report, result);
  if (counts.failed.length > 0) runnerReports.push(stripVTControlCharacters(result.output));
  return counts;
}

async function browserOrNone(): Promise<string> {
  try {
    const found = await findBrowser();
    console.log(found);
    return found;
  } catch (error) {
    add({ passed: 0, failed: [error instanceof Error ? error.message : String(error)], skipped: 0 });
    return '';
  }
}

async function journeys(path: string): Promise<Counts> {
  const file = join(reports, 'playwright.json');
  const relay = await relayOrNone();
  console.log(`TURN server: ${relay || 'none'}`);
  const result = await runTool(
    nodeTool('node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'),
    {
      minutes: browserMinutes,
      show: true,
      env: {
        ...process.env,
        CHROME_PATH: path,
        TURNSERVER_PATH: relay,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      },
    },
  );
  if (result.timedOut) console.log(`The tests were stopped after ${browserMinutes} minutes.`);
  const report = read(file) as PlaywrightReport | undefined;
  timed.push(...slowestJourneys(report));
  layers.push({ name: 'journeys', seconds: result.seconds });
  return countPlaywright(report, result);
}

/** Without coturn, only its own tests fail. */
async function relayOrNone(): Promise<string> {
  try {
    return await findRelay();
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return '';
  }
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log('The runner wrote no report.');
    return undefined;
  }
}

function add(counts: Counts): void {
  total.passed += counts.passed;
  total.failed.push(...counts.failed);
  total.skipped += counts.skipped;
}

function outcome(name: string, ok: boolean): Counts {
  return { passed: ok ? 1 : 0, failed: ok ? [] : [name], skipped: 0 };
}

function heading(name: string): void {
  console.log(`\n== ${name}`);
}
