import { expect, test } from 'vitest';
import { listedPages } from './site-map.ts';
import { siteFile } from './site-files.ts';
import type { Pages } from './rendering.ts';
import { setServiceActive } from '#/features/catalogue/commands.ts';
import { managedServices } from '#/features/catalogue/queries.ts';
import { openLog } from '#/platform/log.ts';
import { openHub } from '#/platform/realtime/hub.ts';
import { pagesChannel } from '#/platform/realtime/publish.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { addClient } from '../../tests/support/people.ts';

const { db, as, url } = await testDatabase();
const guest = as({ kind: 'guest' });
const appUrl = 'https://italk.example';
const pages = { kept: (_: string, make: () => Promise<ReadonlyMap<string, string>>) => make() } as Pages;

async function get(path: string): Promise<{ type: string | null; text: string }> {
  const answer = (await siteFile(guest, path, { appUrl, pages }))!;
  return { type: answer.headers.get('content-type'), text: await answer.text() };
}

async function isShut(path: string): Promise<boolean> {
  const { text } = await get('/robots.txt');
  return [...text.matchAll(/^Disallow: ([^\s*]+)$/gm)].some(([, one]) => path.startsWith(one!));
}

test('lists the sitemap and private paths in robots.txt', async () => {
  const { type, text } = await get('/robots.txt');
  expect(type).toContain('text/plain');
  expect(text).toContain(`Sitemap: ${appUrl}/sitemap.xml`);
  for (const path of [
    '/home',
    '/profile',
    '/admin/emergency',
    '/admin/inbox',
    '/adminsettings',
    '/author/new',
    '/api/me',
    '/booking/secret',
    '/growth',
    '/invitation/secret',
    '/messages/new',
    '/prayers',
    '/session/0b8f8f0e-7d1c-4a53-9a5e-1f1f5b0a6c11',
  ])
    expect(await isShut(path), path).toBe(true);
});

test('disallows no page listed in the sitemap', async () => {
  const { type, text } = await get('/sitemap.xml');
  expect(type).toContain('application/xml');
  for (const { path } of await listedPages(guest)) {
    expect(text).toContain(`<loc>${appUrl}${path}</loc>`);
    expect(await isShut(path), path).toBe(false);
  }
});

test('removes an inactive service from the sitemap immediately', async () => {
  const admin = as({ ...(await addClient(db)), role: 'super_admin' });
  const made = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const keeping = {
    kept: (path, make) => {
      if (!made.has(path)) made.set(path, make());
      return made.get(path)!;
    },
  } as Pages;
  const hub = await openHub(url, openLog('silent'));
  await hub.listen(pagesChannel, () => made.clear());
  const listed = async () => {
    const answer = (await siteFile(guest, '/sitemap.xml', { appUrl, pages: keeping }))!;
    return (await answer.text()).includes('/service/teens<');
  };
  expect(await listed()).toBe(true);
  const { version } = (await managedServices(admin)).find(({ id }) => id === 'teens')!;
  await setServiceActive(admin, { serviceId: 'teens', version, active: false });
  await expect.poll(listed).toBe(false);
  await hub.close();
});
