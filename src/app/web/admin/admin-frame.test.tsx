import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const menu = page.getByRole('navigation', { name: 'Admin menu' });
const needs = page.getByRole('region', { name: 'Needs your attention' });

test('lists what needs the administrator first, each with the page where it’s decided', async () => {
  await openPage('/home', {
    as: 'admin',
    answers: {
      'analytics.attention': [
        { concern: 'backups', count: 1 },
        { concern: 'applications', count: 2 },
        { concern: 'sessions', count: 3 },
        { concern: 'undelivered', count: 1 },
      ],
    },
  });
  await expect
    .poll(() =>
      needs
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual([
      '1 backup failed or is overdue',
      '2 provider applications to review',
      '3 upcoming sessions with suspended providers',
      '1 undelivered email',
    ]);
  for (const [name, href] of [
    ['2 provider applications', '/admin/settings?tab=providers'],
    ['3 upcoming sessions', '/admin/appointments?provider=suspended'],
  ] as const)
    await expect.element(needs.getByRole('link', { name })).toHaveAttribute('href', href);
  await expect
    .element(page.getByRole('heading', { level: 2 }).first())
    .toHaveTextContent('Needs your attention');
  await expectFair('what needs the administrator');
});

test('asks for a support address until mail can reach it', async () => {
  const site = recordedFor('admin')['settings.site'];
  await openPage('/home', {
    as: 'admin',
    answers: { 'analytics.attention': [], 'settings.site': { ...site, demo: false } },
  });
  await expect
    .element(needs.getByRole('link', { name: 'Set the support email address' }))
    .toHaveAttribute('href', '/admin/settings?tab=settings');
});

test('says when nothing needs attention, and updates live', async () => {
  await openPage('/home', { as: 'admin', answers: { 'analytics.attention': [] } });
  await expect.element(needs).toMatchTextContent('Nothing needs your attention.');
  answer({ 'analytics.attention': [{ concern: 'messages', count: 1 }] });
  tellPage({ type: 'contact.received', id: crypto.randomUUID() });
  await expect.element(needs).toMatchTextContent('1 contact message to answer');
  await expect.element(menu.getByRole('link', { name: 'Contact inbox 1 waiting' })).toBeVisible();
});

test('reports that it couldn’t load, and tries again', async () => {
  await openPage('/home', { as: 'admin', answers: { 'analytics.attention': unreachable } });
  await expect.element(needs).toMatchTextContent('We couldn’t load what needs your attention');
  await pressWith(needs.getByRole('button', { name: 'Try again' }), { 'analytics.attention': [] });
  await expect.element(needs).toMatchTextContent('Nothing needs your attention.');
});

for (const [path, room] of [
  ['/home', 'Home'],
  ['/adminsettings', 'Overview'],
  ['/admin/settings?tab=users', 'User Management'],
  ['/admin/moderation?tab=resources', /^Moderation/],
  ['/admin/inbox', /^Contact inbox/],
  ['/admin/emergency', 'Emergency access'],
] as const)
  test(`leads to every page, and marks the current one at ${path}`, async () => {
    await openPage(path, { as: 'admin' });
    const current = menu.getByRole('link', { name: room });
    await expect.element(current).toHaveAttribute('aria-current', 'page');
    expect(menu.getByRole('link').elements()).toHaveLength(20);
    await expect
      .poll(() => menu.getByRole('link', { name: 'Moderation' }).element().textContent)
      .toBe('Moderation6 waiting');
    expect(askedFor('analytics.attention').length).toBeGreaterThan(0);
  });

test('opens on phones from the bottom bar as a sheet, and closes on a link', async () => {
  await page.viewport(phone.width, phone.height);
  await openPage('/admin/settings', { as: 'admin' });
  await expect.element(menu).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Admin menu, 11 waiting' }).click();
  await expect.element(page.getByRole('group', { name: 'Admin menu' })).toBeVisible();
  await expectFair('the menu of the administrator');
  await page.viewport(phone.width, phone.height);
  await menu.getByRole('link', { name: 'User Management' }).click();
  await expect.poll(address).toBe('/admin/settings?tab=users');
  await expect.element(menu).not.toBeInTheDocument();
});

test('fits beside the page on a laptop', async () => {
  await page.viewport(1280, 720);
  await openPage('/admin/settings', { as: 'admin' });
  await expect.element(menu).toBeVisible();
  const { scrollHeight, clientHeight } = menu.element().parentElement!;
  expect(scrollHeight).toBe(clientHeight);
});

test('shows the menu to nobody else', async () => {
  await openPage('/admin/settings', { as: 'client' });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Access Denied');
  expect(menu.elements()).toEqual([]);
  expect(askedFor('analytics.attention')).toEqual([]);
});

test(
  'finds pages and people by Ctrl K, and keeps what was typed out of the URL',
  { tags: ['long'] },
  async () => {
    await openPage('/admin/settings', { as: 'admin', answers: { 'names.find': [] } });
    await expect.element(menu).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    const field = page.getByRole('combobox', { name: 'Page, name, or email' });
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('audit');
    await page.getByRole('option', { name: 'Audit Logs' }).click();
    await expect.poll(address).toBe('/admin/settings?tab=audit');

    const [person] = recordedFor('admin')['directory.list'].users;
    await pressWith(page.getByRole('button', { name: 'Search', exact: true }), { 'names.find': [person] });
    await expectFair('the search of the administrator');
    await field.fill(person!.email);
    await page.getByRole('option', { name: person!.email }).click();
    await expect.poll(address).toBe(`/admin/people/${person!.id}`);
  },
);
