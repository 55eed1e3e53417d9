import { expect, inject } from 'vitest';
import { cdp, page, server } from 'vitest/browser';
import type { ShownState } from '../support/shown-state.ts';
import { overlaps, sideways, smallTargets, strayText } from './measure.ts';

const gallery = inject('gallery');
export const showing = gallery !== undefined;

const sizes = [
  { at: '320', width: 320, height: 640, touch: true },
  { at: '390', width: 390, height: 844, touch: true, picture: true },
  { at: '390, large text', width: 390, height: 844, touch: true, large: true },
  { at: '768', width: 768, height: 1024, touch: true },
  { at: '1280', width: 1280, height: 900, picture: true },
  { at: '1280, large text', width: 1280, height: 900, large: true },
  { at: '1920', width: 1920, height: 1080 },
] as const;
const tallest = 4_000;
/** Tests may replace the page's clock. */
const nextFrame = window.requestAnimationFrame.bind(window);

/** Measures the state at every size and text size. */
async function flawsOf(eachSize: (at: string) => Promise<void>): Promise<ShownState['flaws']> {
  const { innerWidth, innerHeight } = window;
  const focused = document.activeElement;
  const scrolled = [...document.querySelectorAll('*')].filter(
    ({ scrollHeight: all, clientHeight: seen }) => all > seen,
  );
  const places = scrolled.map((one) => [one, one.scrollTop] as const);
  const flaws: ShownState['flaws'] = [];
  for (const size of sizes) {
    setTouch('touch' in size);
    await setText('large' in size ? 2 : 1);
    await resize(size.width, size.height);
    const found = [...sideways(), ...overlaps(), ...strayText(), ...('touch' in size ? smallTargets() : [])];
    flaws.push(...found.map((flaw) => ({ ...flaw, at: size.at })));
    if ('picture' in size) await eachSize(size.at);
  }
  setTouch(false);
  await setText(1);
  await resize(innerWidth, innerHeight);
  // The test continues here.
  for (const [one, top] of places) one.scrollTop = top;
  if (focused instanceof HTMLElement && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
  return flaws;
}

/** Writes the state's pictures and flaws into the gallery. */
export async function showState(state: string): Promise<void> {
  const screen = expect
    .getState()
    .testPath!.replace(/^.*\/src\/(features\/|app\/web\/)?(.*)\.test\.tsx$/, '$2');
  if (!(gallery ?? '').split(' ').every((word) => `${screen} ${state}`.toLowerCase().includes(word))) return;
  const folder = `gallery/${screen.replaceAll(/\/(ui|routes)\b/g, '').replaceAll(/\W+/g, '-')}`;
  const name = state.toLowerCase().replaceAll(/\W+/g, '-');
  const pictures: ShownState['pictures'] = {};
  const flaws = await flawsOf(async (at) => {
    for (const theme of ['light', 'dark'] as const) {
      await prefer(theme);
      pictures[`${at}-${theme}`] = await takePicture(`${folder}/${name}-${at}-${theme}`);
    }
    await prefer('light');
  });
  const shown: ShownState = { screen, state, pictures, flaws };
  await server.commands.writeFile(`${folder}/${name}.json`, JSON.stringify(shown));
}

/** The whole page, up to a limit; with a dialog open, only what a screen shows. */
async function takePicture(path: string): Promise<string> {
  const { innerWidth, innerHeight, scrollY } = window;
  const whole = document.querySelector('body > [role$=dialog]') ? 0 : document.documentElement.scrollHeight;
  const height = Math.max(innerHeight, Math.min(whole, tallest));
  await resize(innerWidth, height);
  if (whole > innerHeight) window.scrollTo({ top: 0, behavior: 'instant' });
  await drawn();
  const { data } = await cdp().send('Page.captureScreenshot', { format: 'jpeg', quality: 85 });
  await server.commands.writeFile(`${path}.jpg`, data, 'base64');
  await resize(innerWidth, innerHeight);
  window.scrollTo({ top: scrollY, behavior: 'instant' });
  return `${path}.jpg`;
}

async function resize(width: number, height: number): Promise<void> {
  await page.viewport(width, height);
  while (window.innerWidth !== width || window.innerHeight !== height) await new Promise(nextFrame);
  await drawn();
}

export async function prefer(value: 'dark' | 'light'): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  });
}

const untouched = new Map<MediaList, string>();

/** Styles the page as for a finger; the browser's own emulation leaves it without any pointer afterwards. */
function setTouch(enabled: boolean): void {
  for (const [media, text] of untouched) media.mediaText = text;
  untouched.clear();
  if (!enabled) return;
  for (const media of [...document.styleSheets].flatMap(({ cssRules }) => mediaIn(cssRules))) {
    const text = media.mediaText;
    const touched = text
      .replace('(pointer: coarse)', '(width)')
      .replaceAll(/\((pointer: fine|hover: hover)\)/g, '(not (width))');
    if (touched === text) continue;
    untouched.set(media, text);
    media.mediaText = touched;
  }
}

function mediaIn(rules: CSSRuleList): MediaList[] {
  return [...rules].flatMap((rule) => [
    ...(rule instanceof CSSMediaRule ? [rule.media] : []),
    ...('cssRules' in rule ? mediaIn(rule.cssRules as CSSRuleList) : []),
  ]);
}

/** The browser's setting for the size of text, which also moves breakpoints in rem. */
async function setText(factor: number): Promise<void> {
  await cdp().send('Page.setFontSizes', { fontSizes: { standard: 16 * factor, fixed: 13 * factor } });
}

async function drawn(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(nextFrame);
}
