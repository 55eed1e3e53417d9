import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const guest = recordedFor('guest');
const service = guest['catalogue.service'];
const specialists = guest['providers.list'].filter(({ serviceIds }) => serviceIds.includes(service.id));
const resource = guest['resources.list'].items[0]!;
const answers = { 'providers.list': specialists, 'resources.related': [resource] };

const main = page.getByRole('main');
const region = (name: string) => page.getByRole('region', { name });
const texts = (of: Locator) => of.elements().map(({ textContent }) => textContent);

test('shows all sections of a service', async () => {
  await openPage(`/service/${service.id}`, { answers });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(service.title);
  await expect.element(main).toMatchTextContent(service.description);
  const overview = region('Service Overview');
  expect(texts(overview.getByRole('heading', { level: 3 }))).toEqual([
    'Support offered',
    'Based on',
    'Issues addressed',
  ]);
  await expect.element(overview).toMatchTextContent(service.supportOffered);
  await expect.element(overview).toMatchTextContent(service.basedOn);
  expect(texts(overview.getByRole('listitem'))).toEqual(service.issuesAddressed);
  expect(texts(region('Spiritual Themes').getByRole('figure'))).toEqual(
    service.spiritualThemes.map(({ verse, quote }) => `“${quote}”${verse}`),
  );
  const available = region('Available Specialists');
  expect(texts(available.getByRole('heading', { level: 3 }))).toEqual(specialists.map(({ name }) => name));
  for (const { name } of specialists)
    await expect.element(available.getByRole('button', { name: `Book Session with ${name}` })).toBeVisible();
  expect(
    region('Testimonials')
      .getByText(/^[1-5] out of 5 stars$/)
      .elements(),
  ).toHaveLength(guest['reviews.ofService'].length);
  await expect
    .element(region('Related Resources').getByRole('link', { name: resource.title }))
    .toHaveAttribute('href', `/resources/${resource.id}`);
  const tabs = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  expect(texts(tabs.getByRole('link'))).toEqual(['Home', 'Services', 'Therapists', 'Resources', 'Profile']);
  await expectFair('a service');
});

test('hides testimonials and resources when there are none', async () => {
  await openPage(`/service/${service.id}`, {
    answers: { ...answers, 'reviews.ofService': [], 'resources.related': [] },
  });
  await expect.element(region('Available Specialists')).toBeVisible();
  await expect.element(region('Testimonials')).not.toBeInTheDocument();
  await expect.element(region('Related Resources')).not.toBeInTheDocument();
});

for (const width of [1280, phone.width])
  test(`keeps Book Session Now in view while scrolling, ${width} pixels wide`, async () => {
    await page.viewport(width, 844);
    await openPage(`/service/${service.id}`, { answers });
    for (const part of ['Service Overview', 'Available Specialists']) {
      (await page.getByRole('heading', { name: part }).findElement()).scrollIntoView();
      await expect.element(page.getByRole('button', { name: 'Book Session Now' })).toBeInViewport();
    }
  });

test('signs out from the header, and opens the landing page', async () => {
  await openPage(`/service/${service.id}`, {
    as: 'client',
    answers: { ...answers, 'POST /api/auth/sign-out': { signedIn: false } },
  });
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect.element(page.getByText('Signed out successfully').first()).toBeVisible();
  await expect.poll(address).toBe('/');
});

test('reports a service that isn’t offered, and returns to the services', async () => {
  await openPage('/service/nothing');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Service not found');
  await expectFair('a service that isn’t offered');
  await page.getByRole('button', { name: 'Go Back' }).click();
  await expect.poll(address).toBe('/services');
});
