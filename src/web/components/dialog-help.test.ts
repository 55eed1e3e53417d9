import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every dialog includes Help Now', () => {
  const made = /'@radix-ui\/react-(?:alert-)?dialog'|role="(?:alert)?dialog"|<dialog\b/;
  const makers = globSync('src/**/*.tsx', { exclude: ['src/texts/**', 'src/**/*.test.tsx'] }).filter((path) =>
    made.test(readFileSync(path, 'utf8')),
  );
  expect(makers).toEqual(['src/web/components/dialog-views.tsx']);
  const code = readFileSync(makers[0]!, 'utf8');
  expect(code.match(/<HelpNow\b/g)?.length).toBe(code.match(/<Radix\w*\.Content\b/g)?.length);
});
