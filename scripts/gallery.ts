/**
 * Writes pictures of every tested screen and state into gallery/, and lists flaws in their layout:
 * `npm run gallery`, or `npm run gallery -- booking` for those with this word in their name.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ShownState } from '../tests/support/shown-state.ts';
import { findBrowser } from './browser.ts';
import { nodeTool, runTool } from './tool.ts';

const folder = 'gallery';
const maxMinutes = 45;
const stateNames = /expect(?:Fair|NoViolation)\(\s*['"`]([^'"`]*)/g;

const words = process.argv.slice(2).join(' ').toLowerCase();
const files = globSync('src/**/*.test.tsx').filter(mayShow);
if (files.length === 0) {
  console.log(`No screen or state is called “${words}”.`);
  process.exit(1);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const result = await runTool(
  nodeTool('node_modules/vitest/vitest.mjs', 'run', '--project', 'components', ...files),
  {
    minutes: maxMinutes,
    show: true,
    env: { ...process.env, CI: 'true', ITALK_GALLERY: words, CHROME_PATH: await findBrowser() },
  },
);

const states = globSync(`${folder}/*/*.json`)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as ShownState)
  .toSorted((a, b) => a.screen.localeCompare(b.screen) || a.state.localeCompare(b.state));
const page = readFileSync(new URL('gallery.html', import.meta.url), 'utf8');
const data = JSON.stringify(states).replaceAll('<', String.raw`\u003c`);
writeFileSync(
  `${folder}/index.html`,
  page.replace('[/* states */]', () => data),
);

const flaws = listOf(states);
for (const flaw of flaws) console.log(flaw);
const pictures = states.flatMap((one) => Object.values(one.pictures)).length;
console.log(
  `\n${folder}/index.html: ${pictures} pictures of ${states.length} states, ${flaws.length} flaws, in ${Math.round(result.seconds)} s`,
);
process.exitCode = result.ok && flaws.length === 0 ? 0 : 1;

/** States with computed names may match any word. */
function mayShow(file: string): boolean {
  const names = [...readFileSync(file, 'utf8').matchAll(stateNames)].map(([, name]) => name!);
  return names.some(
    (name) =>
      name.includes('${') || words.split(' ').every((word) => `${file} ${name}`.toLowerCase().includes(word)),
  );
}

/** One line per flaw, with the sizes and states that show it. */
function listOf(all: ShownState[]): string[] {
  const seen = new Map<string, { at: Set<string>; states: Set<string> }>();
  for (const { screen, state, flaws: found } of all) {
    for (const { kind, where, at } of found) {
      const key = `${screen}: ${kind}: ${where}`;
      const same = seen.get(key) ?? { at: new Set(), states: new Set() };
      seen.set(key, same);
      same.at.add(at);
      same.states.add(state);
    }
  }
  return [...seen].map(
    ([key, { at, states: shown }]) => `${key}\n    at ${[...at].join('; ')} in ${[...shown].join('; ')}`,
  );
}
