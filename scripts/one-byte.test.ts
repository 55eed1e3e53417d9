import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { bundled } from './bundle.ts';

it('bundles every script’s letters as ASCII that means the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'italk-bundle-'));
  const source = join(folder, 'source.ts');
  await writeFile(
    source,
    "export const text = 'Don’t é 😀';\nexport const isOne = (one: string) => /^[’😀]$/u.test(one);\n",
  );
  const config = bundled({ input: { main: source }, outDir: folder });
  const made = await build({ ...config, build: { ...config.build, write: false } });
  const { code } = (made as Rolldown.RolldownOutput).output[0];
  expect(code).toMatch(/^[\0-\x7f]+$/);
  const { text, isOne } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    text: string;
    isOne(one: string): boolean;
  };
  expect(text).toBe('Don’t é 😀');
  expect(['😀', '’', 'x'].map(isOne)).toEqual([true, true, false]);
  await rm(folder, { recursive: true });
});
