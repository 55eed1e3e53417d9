import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const guest = recordedFor('guest');
const services = guest['catalogue.services'];
const title = page.getByRole('heading', { level: 1 });

test('lists every service with its sources and its first two specialists', async () => {
  await openPage('/services');
  await expect.element(title).toHaveTextContent('Our services');
  expect(services.map((service) => service.title)).toEqual([
    'Individual Healing',
    'Strengthening Bonds',
    'Uniting Families in Faith',
    'Youth Guidance',
    'Comfort & Healing',
    'Faith Strengthening',
  ]);
  const main = page.getByRole('main');
  expect(
    main
      .getByRole('heading', { level: 3 })
      .elements()
      .map((one) => one.textContent),
  ).toEqual(services.map((service) => service.title));
  for (const service of services) {
    const card = main
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: service.title, level: 3 }) });
    const names = guest['providers.list']
      .filter(({ serviceIds }) => serviceIds.includes(service.id))
      .map(({ name }) => name);
    const more = names.length > 2 ? ` +${names.length - 2} more` : '';
    await expect.element(card).toMatchTextContent(service.description);
    await expect.element(card).toMatchTextContent(`Based on${service.basedOn}`);
    await expect.element(card).toMatchTextContent(`${names.slice(0, 2).join(', ')}${more}`);
    await expect
      .element(card.getByRole('link', { name: `Learn More about ${service.title}` }))
      .toHaveAttribute('href', `/service/${service.id}`);
    await expect
      .element(card.getByRole('button', { name: `Book Session for ${service.title}` }))
      .toBeVisible();
  }
  await expectFair('the services');
});

test('opens the booking dialog after a guest signs in', { tags: ['long'] }, async () => {
  const client = recordedFor('client');
  await openPage('/services', {
    answers: {
      'POST /api/auth/sign-in/email': () => {
        answer(client);
        return { signedIn: true };
      },
    },
  });
  const opener = page.getByRole('button', { name: 'Book Session for Comfort & Healing' });
  await opener.click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabelText('Email').fill('client@italk.example');
  await prompt.getByLabelText('Password', { exact: true }).fill('any-password');
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  const booking = page.getByRole('dialog', { name: 'Book Appointment' });
  await expect.element(booking).toMatchTextContent('Comfort & Healing');
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.poll(() => booking.element().contains(document.activeElement)).toBe(true);
  await expect.poll(address).toBe('/services');
});
