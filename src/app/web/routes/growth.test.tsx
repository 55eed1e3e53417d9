import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, serverApi } from '../../../../tests/components/answers.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { pageRequest, type PageRequest } from '../contexts.ts';
import { loader as growth } from './growth.tsx';
import { loader as prayers } from './prayers.tsx';

const { flags, ...site } = recordedFor('client')['settings.site'];
const off = { ...site, flags: flags.filter((flag) => flag !== 'wellness_tracking') };

test('returns 404 for its pages while Wellness Tracking is off', async () => {
  answer({ 'settings.site': off });
  const context = new RouterContextProvider();
  context.set(pageRequest, { api: serverApi() } as PageRequest);
  const request = new Request('https://italk.example/growth');
  const given = { context, request } as unknown;
  const asked = [
    growth(given as Parameters<typeof growth>[0]),
    prayers(given as Parameters<typeof prayers>[0]),
  ];
  for (const answered of asked) await expect(answered).rejects.toMatchObject({ init: { status: 404 } });
});

test('appears on a client’s home page and in the navigation only while Wellness Tracking is on', async () => {
  await openPage('/home', { as: 'client' });
  const link = page.getByRole('main').getByRole('link', { name: /^Your growth/ });
  await expect.element(link).toBeVisible();
  const bars = page.getByRole('navigation').getByRole('link', { name: 'Growth' });
  await expect.element(bars.first()).toHaveAttribute('href', '/growth');
  await openPage('/home', { as: 'client', answers: { 'settings.site': off } });
  await expect
    .element(page.getByRole('main').getByRole('link', { name: /^Wellness Resources/ }))
    .toBeVisible();
  await expect.element(link).not.toBeInTheDocument();
  await expect.element(bars).not.toBeInTheDocument();
});

test('says in the profile that progress is switched off', async () => {
  await openPage('/profile?tab=progress', { as: 'client', answers: { 'settings.site': off } });
  await expect.element(page.getByText('Progress is turned off for now.')).toBeVisible();
});
