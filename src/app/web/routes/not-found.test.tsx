import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const title = page.getByRole('heading', { level: 1 });
const home = page.getByRole('link', { name: 'Return to Home' });

test('shows a friendly message and a home link for an unknown URL, and logs the path', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await openPage('/no/such/page');
  await expect.element(title).toHaveTextContent('Oops! Page not found');
  await expect.element(home).toHaveAttribute('href', '/');
  expect(warn.mock.calls).toContainEqual(['404: /no/such/page']);
  warn.mockRestore();
  await expectFair('an address with nothing at it');
});
