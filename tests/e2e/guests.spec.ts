import type { Page } from '@playwright/test';
import { bookDirectly, confirm, confirmedDialog, fill, openBooking, toast } from './support/booking.ts';
import { call, expect, password, signIn, someone, test } from './support/fixtures.ts';
import { becomeFamilySpecialist, bookTogether, invitationPath, invite } from './support/guests.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

const invited = (page: Page) => page.getByRole('region', { name: 'Sessions you are invited to' });
const guestDialog = (page: Page) => page.getByRole('dialog', { name: 'Who comes along' });
const agree = (page: Page) =>
  page.getByRole('checkbox', { name: /what is said in this session stays there/ });

test('a client invites by mail; the guest makes an account, agrees, accepts, and all see it at once', async ({
  page: client,
  open,
  product,
}) => {
  test.slow();
  const doctor = await open();
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Vera Halloway');
  await signIn(client, someone('ruth'));
  const booking = await openBooking(client, specialist, 'couples');
  // The first time there is may be too soon by the time it is confirmed.
  await fill(booking, { monthsOn: 1 });
  await confirm(booking);
  const confirmed = confirmedDialog(client);
  await expect(confirmed.getByRole('heading', { name: 'Who else is coming?' })).toBeVisible();
  await confirmed.getByRole('button', { name: 'Invite others' }).click();
  const dialog = guestDialog(client);
  await expect(dialog.getByText('Nobody is invited yet.')).toBeVisible();

  // What is missing is said, and nothing is ticked for anybody.
  const box = agree(client);
  await expect(box).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expect(dialog.getByText('Please agree to this first.')).toBeVisible();
  await expectNoViolation(client, 'the form with problems');
  await dialog.getByLabel('Name').fill('Boaz');
  const address = someone('boaz');
  await dialog.getByLabel('Email address').fill(address);
  await box.check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(toast(client, 'The invitation is on its way')).toBeVisible();
  const row = dialog.getByRole('listitem').filter({ hasText: 'Boaz' });
  await expect(row.getByText('Invited', { exact: true })).toBeVisible();
  // It was agreed to once.
  await expect(box).toHaveCount(0);
  await expectFair(client, 'who comes along', { dialog, dark: true });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await confirmed.getByRole('button', { name: 'Done' }).click();
  await client.goto('/home');
  await expect(client.getByText('Boaz (Invited)')).toBeVisible();

  const guest = await open({ timezoneId: 'Europe/Vienna' });
  const answer = await guest.goto(await invitationPath(product, address));
  // Whoever has the link can answer: no other site and no browser keeps it.
  expect(answer!.headers()).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  await expect(guest.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(/^\w+ invites you to a session$/);
  await expect(guest.getByText('(Vienna time)')).toBeVisible();
  await expect(guest.getByRole('heading', { name: 'What is said here stays here' })).toBeVisible();
  await expect(guest.getByText('You all hear what each of you says.')).toBeVisible();
  await expect(guest.getByText(/the law may oblige them/)).toBeVisible();
  await expectFair(guest, 'an invitation, signed out', { dark: true });

  // An account of their own, with another address than the one that was invited.
  await guest.getByRole('button', { name: 'Sign in to accept' }).click();
  const prompt = guest.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByRole('button', { name: 'Sign Up' }).click();
  await prompt.getByLabel('Full Name').fill('Boaz Amsel');
  await prompt.getByLabel('Email').fill(someone('own'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt
    .getByRole('button', { name: /^(Sign Up|Create Account)$/ })
    .last()
    .click();
  await expect(guest.getByLabel('Your name, as the others read it')).toHaveValue('Boaz Amsel');
  await expect(agree(guest)).not.toBeChecked();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(agree(guest)).toBeFocused();
  await expect(guest.getByText('Please agree to this first.')).toBeVisible();
  await expectFair(guest, 'an invitation, signed in', { dark: true });
  await agree(guest).check();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'You are expected' })).toBeFocused();
  await expectFair(guest, 'an accepted invitation');

  // Nobody reloads.
  await expect(client.getByText('Boaz Amsel (Comes along)')).toBeVisible();
  await expect(client.getByText(address)).toHaveCount(0);

  await guest.getByRole('link', { name: 'To your home page', exact: true }).click();
  const card = invited(guest).getByRole('article', { name: 'Session with Dr. Vera Halloway' });
  await expect(card).toBeVisible();
  await expect(card).not.toContainText('$');
  await expect(card.getByText('The others read your name as Boaz Amsel.')).toBeVisible();
  await expectFair(guest, 'the sessions one is invited to', { dark: true });
  const file = guest.waitForEvent('download');
  await card.getByRole('button', { name: 'Save to my calendar' }).click();
  expect((await file).suggestedFilename()).toMatch(/^italk-session-.*\.ics$/);
  await card.getByRole('link', { name: /^Open the session/ }).click();
  await expect(guest).toHaveURL(/\/session\//);

  // The specialist reads it on the session's card, too: names and answers, no address.
  const [stored] = await product.query<{ day: string; name: string }>(
    `select local_date::text as day, contact_name as name from appointments where provider_id = $1`,
    [specialist.id],
  );
  await doctor.goto(`/schedule?view=day&date=${stored!.day}`);
  await doctor
    .getByRole('button', { name: new RegExp(stored!.name) })
    .first()
    .click();
  const session = doctor.getByRole('dialog', { name: `Session with ${stored!.name}` });
  await expect(session.getByText('Boaz Amsel (Comes along)')).toBeVisible();
  await expect(session.getByText(address)).toHaveCount(0);
});

test('a guest who is elsewhere then is told when, alone; one who can’t come says so, and the client reads it', async ({
  page: client,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 409/);
  const [doctor, other] = [await open(), await open()];
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Ada Merton');
  const elsewhere = await becomeFamilySpecialist(other, product, 'Dr. Ida Elsing');
  const { appointmentId, startsAt } = await bookTogether(client, product, specialist);
  const guest = await open();
  await signIn(guest, someone('naomi'));
  await bookDirectly(guest, elsewhere, startsAt);
  const path = await invite(client, product, appointmentId);
  await guest.goto(path);
  await agree(guest).check();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  const problem = guest.getByRole('alert').filter({ hasText: 'You are somewhere else at that time' });
  await expect(problem.getByRole('listitem')).toHaveCount(1);
  await expectFair(guest, 'a clash');
  // What was typed and ticked stays.
  await expect(agree(guest)).toBeChecked();

  await client.goto('/home');
  await expect(client.getByText('Naomi (Invited)')).toBeVisible();
  await guest.getByRole('button', { name: 'I can’t come' }).click();
  const question = guest.getByRole('alertdialog', { name: 'Decline this invitation?' });
  await expectNoViolation(guest, 'the question');
  await question.getByRole('button', { name: 'Decline' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'This invitation was declined' })).toBeFocused();
  await expect(client.getByText('Naomi (Can’t come)')).toBeVisible();
});

test('a session that is moved takes its guests along; where one of them is busy it isn’t, and nobody learns who', async ({
  page: client,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 409/);
  const [doctor, other] = [await open(), await open()];
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Nora Ashby');
  const elsewhere = await becomeFamilySpecialist(other, product, 'Dr. Olga Brand');
  const { appointmentId } = await bookTogether(client, product, specialist, { index: 20 });
  const guest = await open();
  await signIn(guest, someone('tirzah'));
  const path = await invite(client, product, appointmentId);
  await guest.goto(path);
  await agree(guest).check();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'You are expected' })).toBeVisible();
  const query = new URLSearchParams({
    from: new Date().toISOString(),
    to: new Date(Date.now() + 28 * 86_400_000).toISOString(),
    durationMinutes: '60',
  });
  const answer = await client.request.get(
    `${product.url}/api/specialists/${specialist.id}/free-starts?${query}`,
  );
  const { starts } = (await answer.json()) as { starts: string[] };
  const busy = starts.at(-30)!;
  await bookDirectly(guest, elsewhere, busy);
  const refused = await client.request.post(`${product.url}/api/appointments/${appointmentId}/reschedule`, {
    headers: { origin: product.url },
    data: { startsAt: busy },
  });
  expect([refused.status(), ((await refused.json()) as { reason: string }).reason]).toEqual([
    409,
    'not_free',
  ]);
  const free = starts.at(-10)!;
  await call(client, `/api/appointments/${appointmentId}/reschedule`, { startsAt: free });
  await guest.goto('/home');
  const card = invited(guest).getByRole('article');
  await expect(card.locator('time')).toHaveAttribute('datetime', new RegExp(free.slice(0, 16)));
});

test('a guest who can’t come after all leaves; an invitation that is taken back leads nowhere', async ({
  page: client,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  const doctor = await open();
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Hedda Lorne');
  const { appointmentId } = await bookTogether(client, product, specialist);
  const [first, second] = [
    await invite(client, product, appointmentId),
    await invite(client, product, appointmentId),
  ];
  const guest = await open();
  await signIn(guest, someone('dinah'));
  await guest.goto(first);
  await agree(guest).check();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await guest.getByRole('link', { name: 'To your home page', exact: true }).click();
  await invited(guest).getByRole('button', { name: 'I can’t come' }).press('Enter');
  const question = guest.getByRole('alertdialog', { name: 'Not coming after all?' });
  await expectFair(guest, 'the question', { dialog: question });
  await question.getByRole('button', { name: 'I’m not coming' }).press('Enter');
  await expect(toast(guest, 'You aren’t expected any more')).toBeVisible();
  await expect(invited(guest)).toHaveCount(0);
  await guest.goto(first);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('You aren’t coming to this session');

  await client.goto('/home');
  const actions = client.getByRole('button', { name: /^Actions/ }).first();
  await expect(actions).toBeEnabled();
  await actions.press('Enter');
  await client.getByRole('menuitem', { name: 'Invite others' }).press('Enter');
  const dialog = guestDialog(client);
  await dialog.getByRole('button', { name: /^Take back/ }).press('Enter');
  await client.getByRole('alertdialog').getByRole('button', { name: 'Take it back' }).press('Enter');
  await expect(toast(client, 'The invitation was taken back')).toBeVisible();
  await guest.goto(second);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This invitation was taken back');
  await expectFair(guest, 'a link that leads nowhere', { dark: true });
  await guest.goto('/invitation#never-was');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This invitation isn’t here');
  await expectFair(guest, 'a link that isn’t one');
});

test('while sessions for several people are switched off, nobody is asked to bring others', async ({
  page: client,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  const doctor = await open();
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Carla Inness');
  const { appointmentId } = await bookTogether(client, product, specialist);
  const path = await invite(client, product, appointmentId);
  await product.query(`update feature_flags set enabled = false where id = 'group_sessions'`);
  try {
    await client.setViewportSize(phone);
    await client.goto('/home');
    await client
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await expect(client.getByRole('menuitem', { name: 'Reschedule' })).toBeVisible();
    await expect(client.getByRole('menuitem', { name: 'Invite others' })).toHaveCount(0);
    await client.goto(path);
    await expect(client.getByRole('heading', { level: 1 })).toHaveText('This invitation isn’t here');
  } finally {
    await product.query(`update feature_flags set enabled = true where id = 'group_sessions'`);
  }
});
