import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

test('presents mission, values, approach and story, and links to services and specialists', async () => {
  await openPage('/about');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('About iTalk Health');
  const main = page.getByRole('main');
  expect(
    main
      .getByRole('heading', { level: 2 })
      .elements()
      .map((one) => one.textContent),
  ).toEqual(['Our mission', 'What we value', 'Our approach', 'Our story', 'Where would you like to begin?']);
  for (const [name, href] of [
    ['Explore our services', '/services'],
    ['Meet our specialists', '/therapists'],
  ] as const)
    await expect.element(main.getByRole('link', { name })).toHaveAttribute('href', href);
  await expectFair('/about');
});
