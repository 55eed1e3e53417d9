import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';
import { countVitest, slowestFirst, type VitestReport } from './counts.ts';
import { nodeTool, runTool } from './tool.ts';

const mostMinutes = 60;

// `npm test` skips *.prove.ts and samples these proofs; here `expectFair` checks phone and desktop in both themes.
const whole = globSync('{src,tests}/**/*.prove.ts');
const sampled = naming('{src,tests}/**/*.test.ts', '/prove.ts');
const looks = naming('src/**/*.test.tsx', 'expectFair');

const folder = mkdtempSync(join(tmpdir(), 'italk-prove-'));
const file = join(folder, 'vitest.json');
const files = [...whole, ...sampled, ...looks].toSorted();
const result = await runTool(
  nodeTool(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--testTimeout=1800000',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...files,
  ),
  {
    minutes: mostMinutes,
    show: true,
    env: {
      ...process.env,
      CI: 'true',
      TZ: 'Asia/Kathmandu',
      ITALK_PROVE: 'true',
      CHROME_PATH: await findBrowser(),
    },
  },
);
let report: VitestReport | undefined;
try {
  report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
} catch {
  console.log('Vitest wrote no report.');
}
rmSync(folder, { recursive: true, force: true });

const { passed, failed } = countVitest(report, result);
console.log('\n== Proved, slowest first');
for (const { name, seconds } of slowestFirst(report))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
for (const one of failed) console.log(one);
console.log(`\n${passed} proved, ${failed.length} failed, in ${Math.round(result.seconds)} s`);
process.exitCode = failed.length === 0 ? 0 : 1;

function naming(kind: string, text: string): string[] {
  return globSync(kind).filter((path) => readFileSync(path, 'utf8').includes(text));
}
