import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SessionPage } from '#/features/video/contract.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor, type Who } from '../../../../tests/components/recorded.ts';

const number = '+1 555 010 0177';
const times = {
  startsAt: '2026-11-24T08:25:00Z',
  endsAt: '2026-11-24T09:25:00Z',
  opensAt: '2026-11-24T08:15:00Z',
  closesAt: '2026-11-24T09:40:00Z',
  timeZone: 'America/New_York',
  refusal: null,
};
const main = page.getByRole('main');
const heading = (name: string | RegExp) => page.getByRole('heading', { name });

async function openSession(as: Extract<Who, 'client' | 'doctor'>, more: Partial<SessionPage>): Promise<void> {
  const recorded = recordedFor(as)['video.page'] as SessionPage;
  const shown = { ...recorded, ...times, ...more };
  await openPage(`/session/${shown.appointmentId}`, {
    as,
    answers: {
      'video.page': shown,
      'appointments.get': { ...recordedFor(as)['appointments.get'], ...times },
    },
  });
}

const byPhone = (phone: Partial<SessionPage['phone']> = {}) => ({
  sessionType: 'phone' as const,
  phone: { caller: 'provider' as const, number: null, given: true, ...phone },
});

test('tells a client who calls, and what to do if nobody does', async () => {
  await openSession('client', byPhone());
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Your session by phone');
  await expect.element(heading('Dr. Sarah Whitfield will call you at 3:25 AM')).toBeVisible();
  await expect.element(page.getByText(/^If no one has called by 3:35 AM/)).toBeVisible();
  await expect.element(main.getByRole('link', { name: /^Message/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Save to my calendar' })).toBeEnabled();
  await expectFair('by phone, called');
});

test('gives the calling specialist the number, to call or copy', async () => {
  const copied: string[] = [];
  const real = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = (text) => Promise.resolve(void copied.push(text));
  try {
    await openSession('doctor', byPhone({ number }));
    await expect.element(heading(/^Call Hannah Brooks at/)).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: `Call Hannah Brooks at ${number}` }))
      .toHaveAttribute('href', 'tel:+15550100177');
    await page.getByRole('button', { name: 'Copy number' }).click();
    await expect.poll(() => copied).toEqual([number]);
    await expectFair('by phone, calling');
  } finally {
    navigator.clipboard.writeText = real;
  }
});

test('tells a guest who calls whom, without the number', async () => {
  await openSession('client', {
    ...byPhone(),
    part: 'guest',
    ownName: 'Naomi Field',
    others: [
      { personId: 'a', name: 'Dr. Sarah Whitfield', part: 'provider' },
      { personId: 'b', name: 'Ruth Amsel', part: 'client' },
    ],
  });
  await expect.element(heading(/^Dr\. Sarah Whitfield calls Ruth Amsel at/)).toBeVisible();
  expect(main.element().querySelector('a[href^="tel:"]')).toBe(null);
  await expectFair('by phone, invited');
});

test('tells both when the number is missing', async () => {
  await openSession('client', byPhone({ given: false }));
  await expect.element(page.getByText('We don’t have your number.')).toBeVisible();
  await expectFair('by phone, no number');
  await openSession('doctor', byPhone({ given: false }));
  await expect.element(heading('We have no number for Hannah Brooks')).toBeVisible();
});

test('says that a phone session is over', async () => {
  const over = {
    startsAt: '2026-11-24T05:00:00Z',
    endsAt: '2026-11-24T06:00:00Z',
    refusal: 'ended' as const,
  };
  await openSession('client', { ...byPhone(), ...over });
  await expect.element(page.getByText('This session is over')).toBeVisible();
  await expect.element(page.getByText('It’s now in your past sessions.')).toBeVisible();
  await expectFair('by phone, over');
  await openSession('client', { ...byPhone(), ...over, part: 'guest' });
  await expect.element(page.getByText('Thank you for coming.', { exact: true })).toBeVisible();
});

test('shows where a specialist sees people while the location isn’t arranged', async () => {
  await openSession('client', { sessionType: 'in-person', place: null });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Your session in person');
  await expect.element(heading('No address yet')).toBeVisible();
  await expect.element(page.getByText('Dr. Sarah Whitfield meets clients in New York, NY.')).toBeVisible();
  await expectFair('in person, no place');
});

test('shows the address, a map link, the door, and when to arrive', async () => {
  const place = {
    name: 'The Old Vicarage',
    address: '12 Elm Street, Boston, MA 02118',
    directions: 'The green door left of the bakery. Ring at Holm; second floor, there is a lift.',
    latitude: 42.34,
    longitude: -71.07,
  };
  await openSession('client', { sessionType: 'in-person', place });
  await expect.element(page.getByText(place.address)).toBeVisible();
  await expect.element(page.getByText(/^The green door left of the bakery/)).toBeVisible();
  await expect.element(page.getByText(/^It starts at 3:25 AM/)).toBeVisible();
  const map = page.getByRole('link', { name: /^Open map/ });
  await expect
    .element(map)
    .toHaveAttribute('href', 'https://www.openstreetmap.org/?mlat=42.34&mlon=-71.07#map=17/42.34/-71.07');
  await expect.element(map).toHaveAttribute('rel', 'noreferrer');
  await expectFair('in person');
  await openSession('doctor', { sessionType: 'in-person', place });
  await expect.element(page.getByText(/^Be there at/)).toBeVisible();
});
