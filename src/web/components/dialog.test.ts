import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every dialog includes Help Now', () => {
  const made = /'@radix-ui\/react-(?:alert-)?dialog'|role="(?:alert)?dialog"|<dialog\b/;
  const makers = globSync('src/**/*.tsx', { exclude: ['src/texts/**', 'src/**/*.test.tsx'] }).filter((path) =>
    made.test(readFileSync(path, 'utf8')),
  );
  expect(makers.toSorted()).toEqual(['src/web/components/alert-dialog.tsx', 'src/web/components/dialog.tsx']);
  for (const path of makers) expect(readFileSync(path, 'utf8')).toContain('<HelpNow');
});
