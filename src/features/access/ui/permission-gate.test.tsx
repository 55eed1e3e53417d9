import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../../../../tests/components/page.tsx';

const main = page.getByRole('main');

test('says that a page needs another role', async () => {
  await openPage('/prayers', { as: 'client' });
  await expect.element(main).toMatchTextContent('Access denied. Insufficient permissions.');
});

for (const [path, title] of [
  ['/author', 'Your resources'],
  ['/admin/inbox', 'Contact inbox'],
  ['/admin/emergency', 'Emergency access'],
  ['/admin/devotionals', 'Daily devotionals'],
] as const)
  test(`gives ${path} a heading for people who can’t open it`, async () => {
    await openPage(path, { as: 'client' });
    await expect.element(main).toMatchTextContent('Access denied.');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(title);
  });

test('names the permission that a page needs', async () => {
  await openPage('/admin/inbox', { as: 'client' });
  await expect.element(main).toMatchTextContent('Access denied. Required permission: access_admin_panel');
});

test('names every permission that a part of a page needs', async () => {
  await openPage('/profile?tab=sessions', { as: 'admin' });
  await expect
    .element(main)
    .toMatchTextContent(
      'Access denied. Required permissions: view_own_appointments, manage_own_appointments',
    );
});

for (const who of ['doctor', 'admin'] as const)
  test(`keeps a ${who} from booking`, async () => {
    await openPage('/services', { as: who });
    await page.getByRole('button', { name: 'Book Session for Youth Guidance' }).click();
    await expect
      .element(page.getByRole('dialog', { name: 'Booking' }))
      .toMatchTextContent('Access denied. Required permission: book_appointments');
  });
