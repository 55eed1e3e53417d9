import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const signOut = 'POST /api/auth/sign-out';
const guest = recordedFor('guest');
const header = page.getByRole('banner');
const nav = header.getByRole('navigation', { name: 'Main' });
const main = page.getByRole('main');
const region = (name: string) => page.getByRole('region', { name });
const texts = (of: Locator) => of.elements().map(({ textContent }) => textContent);
async function expectLinks(of: Locator, ...expected: string[]): Promise<void> {
  await expect.poll(() => texts(of.getByRole('link'))).toEqual(expected);
}

test('shows every section in order, and is accessible', async () => {
  await openPage('/');
  await expect.element(header.getByRole('link', { name: / home$/ })).toHaveTextContent('iTalk Health');
  await expectLinks(nav, 'Services', 'Specialists', 'Testimonials', 'Admin');
  await expect.element(header.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/?auth=1');
  const getStarted = header.getByRole('link', { name: 'Get Started' });
  await expect.element(getStarted).toHaveAttribute('href', '/?auth=1&mode=sign-up');
  await expect.element(header.getByRole('button', { name: 'Logout' })).not.toBeInTheDocument();

  await expect
    .element(main.getByRole('figure').first())
    .toMatchTextContent(/^“Come to me, .+”\s*Matthew 11:28$/);
  expect(texts(main.getByRole('list', { name: 'What you can rely on' }).getByRole('listitem'))).toEqual([
    'Licensed Professionals',
    'Faith-Centered Care',
    'Trusted Community',
  ]);
  const welcome = region('Come in and look around');
  await expect.element(welcome).toMatchTextContent('Browsing is free');
  await expect.element(welcome).toMatchTextContent('secure, privacy-minded, HIPAA-compliant environment');
  const explore = welcome.getByRole('link', { name: 'Start Exploring' });
  await expect.element(explore).toHaveAttribute('href', '/services');
  expect(texts(main.getByRole('heading', { level: 2 }))).toEqual([
    'Come in and look around',
    'Core Services',
    'Meet Our Trusted Specialists',
    'Stories of healing and hope',
    'Our spiritual foundation',
    'How It Works',
  ]);
  const stories = region('Stories of healing and hope');
  expect(
    stories
      .getByRole('listitem')
      .filter({ has: page.getByRole('figure') })
      .elements(),
  ).toHaveLength(6);
  await expect.poll(() => stories.getByText(/^[1-5] out of 5 stars$/).elements()).toHaveLength(6);
  expect(texts(region('How It Works').getByRole('heading', { level: 3 }))).toEqual([
    'Explore Services',
    'Choose a Specialist',
    'Book & Connect',
  ]);
  await expectFair('the landing page');
});

test('begins with three stories on phones, and shows the rest on request', async () => {
  await page.viewport(phone.width, phone.height);
  await openPage('/');
  const stories = region('Stories of healing and hope').getByRole('figure');
  await expect.poll(() => stories.elements().length).toBeLessThan(6);
  const begun = stories.elements().length;
  const more = page.getByRole('button', { name: 'Show more stories' });
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  await more.click();
  await expect.poll(() => stories.elements().length).toBe(begun + 3);
  await expect.element(page.getByRole('button', { name: 'Show fewer stories' })).toHaveFocus();
});

test('lists the six services, each with a link to its page and a booking button', async () => {
  await openPage('/');
  const services = guest['catalogue.services'];
  expect(texts(region('Core Services').getByRole('heading', { level: 3 }))).toEqual(
    services.map(({ title }) => title),
  );
  for (const { id, title } of services) {
    const more = main.getByRole('link', { name: `Learn More about ${title}` });
    await expect.element(more).toHaveAttribute('href', `/service/${id}`);
    await expect.element(main.getByRole('button', { name: `Book Session for ${title}` })).toBeVisible();
  }
});

test('introduces three specialists with two specialties each', async () => {
  await openPage('/');
  const place = region('Meet Our Trusted Specialists');
  const shown = guest['providers.list'].slice(0, 3);
  expect(texts(place.getByRole('heading', { level: 3 }))).toEqual(shown.map(({ name }) => name));
  for (const { id, name, title, specialties } of shown) {
    const card = place.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await expect.element(card).toMatchTextContent(title);
    const more = specialties.length > 2 ? [`+${specialties.length - 2} more`] : [];
    expect(texts(card.getByRole('listitem'))).toEqual([...specialties.slice(0, 2), ...more]);
    const profile = card.getByRole('link', { name: `View Full Profile of ${name}` });
    await expect.element(profile).toHaveAttribute('href', `/therapists#${id}`);
    await expect.element(card.getByRole('button', { name: `Book Consultation with ${name}` })).toBeVisible();
  }
  const all = place.getByRole('link', { name: 'View All Specialists' });
  await expect.element(all).toHaveAttribute('href', '/therapists');
});

test('shows services, support, sign-in and copyright in the footer', async () => {
  await openPage('/');
  const footer = page.getByRole('contentinfo');
  await expectLinks(
    footer.getByRole('navigation', { name: 'Services' }),
    ...guest['catalogue.services'].map(({ title }) => title),
    'All services',
  );
  await expect.element(footer.getByRole('navigation', { name: 'Support' })).toBeVisible();
  await expect
    .element(footer.getByRole('link', { name: 'Sign Up' }))
    .toHaveAttribute('href', '/?auth=1&mode=sign-up');
  await expect.element(footer.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/?auth=1');
  await expect.element(footer).toMatchTextContent('© 2024–2026 iTalk Health. All rights reserved.');
});

test('doesn’t claim HIPAA compliance without attestation', async () => {
  await openPage('/', {
    answers: { 'settings.site': { ...guest['settings.site'], demo: false, hipaaAttested: false } },
  });
  const welcome = region('Come in and look around');
  await expect.element(welcome).toMatchTextContent('secure, private environment');
  await expect.element(welcome).not.toMatchTextContent('HIPAA');
});

test(
  'opens and closes the phone menu by keyboard or click, and links to How It Works',
  { tags: ['long'] },
  async () => {
    await page.viewport(phone.width, phone.height);
    await openPage('/');
    const menu = header.getByRole('button', { name: 'Open menu' });
    await expect.element(nav).not.toBeInTheDocument();
    await press(menu);
    await expectLinks(nav, 'Services', 'Specialists', 'Testimonials', 'How It Works', 'Admin');
    await expect.element(header.getByRole('link', { name: 'Log In' })).toBeVisible();
    await expect.element(header.getByRole('link', { name: 'Get Started' })).toBeVisible();
    await expectNoViolation('the menu');
    await header.getByRole('button', { name: 'Close menu' }).click();
    await expect.element(nav).not.toBeInTheDocument();
    await menu.click();
    await userEvent.keyboard('{Escape}');
    await expect.element(nav).not.toBeInTheDocument();
    await expect.element(menu).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await press(nav.getByRole('link', { name: 'How It Works' }));
    await expect.element(nav).not.toBeInTheDocument();
    await expect.poll(address).toBe('/#how-it-works');
  },
);

test('fits the full name and a one-line help button on the narrowest phones', async () => {
  await openPage('/services');
  const name = header.getByText('iTalk Health');
  const help = header.getByRole('button', { name: 'Need help now?' });
  for (const width of [320, 360, 390]) {
    await page.viewport(width, 700);
    expect(name.element().scrollWidth - name.element().clientWidth, `${width}`).toBe(0);
    const brief = help.getByText('Help now?', { exact: true });
    expect(brief.element().checkVisibility(), `${width}`).toBe(width < 360);
    expect(help.element().getBoundingClientRect().height, `${width}`).toBeLessThanOrEqual(44);
  }
});

test('shows signed-in people a link home, and signs them out', async () => {
  await openPage('/', {
    as: 'client',
    answers: {
      [signOut]: () => {
        answer(guest);
        return { signedIn: false };
      },
    },
  });
  await expect.element(header.getByRole('link', { name: 'Log In' })).not.toBeInTheDocument();
  const home = header.getByRole('link', { name: 'Home', exact: true });
  await expect.element(home).toHaveAttribute('href', '/home');
  await press(header.getByRole('button', { name: 'Logout' }), ' ');
  await expect
    .element(page.getByRole('listitem').filter({ hasText: 'Signed out successfully' }))
    .toMatchTextContent('May peace be with you until we meet again.');
  await expect.poll(address).toBe('/home');
});

test('reports a failed sign-out, and signs out on the next click', async () => {
  await openPage('/', { as: 'client', answers: { [signOut]: unreachable } });
  const logout = header.getByRole('button', { name: 'Logout' });
  await logout.click();
  const failed = page.getByRole('listitem').filter({ hasText: 'Error signing out' });
  await expect.element(failed).toMatchTextContent('We couldn’t reach the server.');
  await pressWith(logout, { ...guest, [signOut]: { signedIn: false } });
  await expect.element(page.getByText('Signed out successfully').first()).toBeVisible();
  expect(askedFor(signOut)).toHaveLength(2);
});
