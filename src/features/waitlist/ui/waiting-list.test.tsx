import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const client = recordedFor('client');
const [waits] = client['waitlist.mine'];
const wait = {
  ...waits!,
  appointment: null,
  wishes: { ...waits!.wishes, untilDate: '2026-12-09', weekdays: [1, 2, 3, 4, 5, 6, 7] },
};
const offer = {
  id: '01a20c00-0000-7000-8000-000000000002',
  startsAt: '2026-12-01T15:00:00Z',
  endsAt: '2026-12-01T16:00:00Z',
  deadline: '2026-11-25T15:00:00Z',
};
const offered = { ...wait, offers: [offer] };
const list = page.getByRole('region', { name: 'My waiting list' });
const offers = page.getByRole('region', { name: 'A time has opened for you' });

const freeAlready = () =>
  refusal(409, 'conflict', 'free_already', { data: { nextFreeStarts: ['2026-12-01T16:00:00Z'] } });

const openHome = (mine: unknown) => openPage('/home', { as: 'client', answers: { 'waitlist.mine': mine } });
/** Opens the home page and waits for the offer, so later list changes are visible. */
async function openOffer() {
  await openHome([offered]);
  await expect.element(offers).toBeVisible();
}

test('reports a time taken by another client, keeping the place on the list', async () => {
  await openOffer();
  await pressWith(offers.getByRole('button', { name: 'Take this time' }), {
    'waitlist.take': refusal(409, 'conflict', 'offer_taken'),
    'waitlist.mine': [wait],
  });
  const faster = page.getByRole('alert').filter({ hasText: 'Someone else took this time' });
  await expect.element(faster).toMatchTextContent('You keep your place in line');
  await expect.element(list).toMatchTextContent(wait.provider.name);
  await expectNoViolation('a time that somebody else has');
});

test('removes a declined offer, and says someone else is asked', async () => {
  await openOffer();
  await pressWith(offers.getByRole('button', { name: 'Not this time' }), {
    'waitlist.pass': [wait],
    'waitlist.mine': [wait],
  });
  await expect.element(page.getByText('Offer declined').first()).toBeVisible();
  await expect.element(offers).not.toBeInTheDocument();
});

test('changes preferred times, and leaves the list after confirmation', { tags: ['long'] }, async () => {
  await openPage('/profile?tab=sessions', { as: 'client', answers: { 'waitlist.mine': [wait] } });
  await list.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tell me when a time opens' });
  await expect.element(dialog.getByLabelText('Until')).toHaveValue('2026-12-09');
  await dialog.getByRole('checkbox', { name: 'Sun' }).click();
  const changed = { ...wait, wishes: { ...wait.wishes, weekdays: [1, 2, 3, 4, 5, 6] } };
  await pressWith(dialog.getByRole('button', { name: 'Save preferences' }), {
    'waitlist.ask': changed,
    'waitlist.mine': [changed],
  });
  await expect.element(page.getByText('Preferences saved').first()).toBeVisible();
  await expect.element(list).toMatchTextContent('Mon, Tue, Wed, Thu, Fri, Sat');
  await expectFair('the sessions with a waiting list');
  await list.getByRole('button', { name: 'Leave' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave the waiting list?' });
  await expect
    .element(question)
    .toMatchTextContent(`You’ll lose your place in line for a time with ${wait.provider.name}.`);
  await pressWith(question.getByRole('button', { name: 'Leave list' }), {
    'waitlist.leave': [],
    'waitlist.mine': [],
  });
  await expect.element(page.getByText('You left the waiting list').first()).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
});

test(
  'moves the appointment to a free time found while changing preferences',
  { tags: ['long'] },
  async () => {
    const ahead = client['appointments.mine'].find(({ actions }) => actions.includes('reschedule'))!;
    const earlier = { ...wait, appointment: { id: ahead.id, startsAt: ahead.startsAt } };
    await openPage('/home', {
      as: 'client',
      answers: {
        'waitlist.mine': [earlier],
        'appointments.get': ahead,
        'waitlist.joinEarlier': freeAlready(),
      },
    });
    await list.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await page.getByRole('button', { name: /^Tue, Dec 1/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Reschedule' });
    await expect.element(dialog).toMatchTextContent(ahead.provider.name);
  },
);

test(
  'books the length and type waited for at a free time found while changing preferences',
  { tags: ['long'] },
  async () => {
    const longer = { ...wait, durationMinutes: 90, sessionType: 'phone' as const };
    await openPage('/home', {
      as: 'client',
      answers: {
        'waitlist.mine': [longer],
        'waitlist.ask': freeAlready(),
      },
    });
    await list.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await page.getByRole('button', { name: /^Tue, Dec 1/ }).click();
    await expect
      .poll(() => askedFor('appointments.freeStarts').at(-1))
      .toMatchObject({ durationMinutes: '90', sessionType: 'phone' });
  },
);

test('keeps a phone number that can’t be called, and asks for it in full', async () => {
  await openOffer();
  answer({
    'waitlist.take': refusal(400, 'invalid', 'required', {
      fields: [{ field: 'contact.phone', reason: 'required' }],
    }),
  });
  const take = offers.getByRole('button', { name: 'Take this time' });
  await take.click();
  const number = offers.getByLabelText('Phone');
  await expect.element(number).toHaveFocus();
  await number.fill('123');
  await take.click();
  await expect.element(number).toHaveFocus();
  await expect.element(number).toHaveValue('123');
  await number.fill('617 555 0100 at home');
  await take.click();
  await expect.element(number).toHaveFocus();
  await expect.element(number).toHaveAccessibleDescription(/Enter a full phone number/);
  expect(askedFor('waitlist.take')).toHaveLength(1);
});

test(
  'requests an earlier time by keyboard on a phone, and names missing fields',
  { tags: ['long'] },
  async () => {
    await page.viewport(phone.width, phone.height);
    const ahead = client['appointments.mine'].find(({ actions }) => actions.includes('reschedule'))!;
    await openPage('/home', { as: 'client', answers: { 'waitlist.mine': [], 'appointments.mine': [ahead] } });
    const actions = page.getByRole('button', {
      name: `Actions for the appointment with ${ahead.provider.name}`,
    });
    await expect.element(actions).toBeEnabled();
    actions.element().focus();
    await userEvent.keyboard('{Enter}');
    const item = page.getByRole('menuitem', { name: 'Ask for an earlier time' });
    await expect.element(item).toBeVisible();
    item.element().focus();
    await userEvent.keyboard('{Enter}');
    const dialog = page.getByRole('dialog', { name: 'Ask for an earlier time' });
    const part = dialog.getByRole('group', { name: 'What time of day?' });
    for (const name of ['Morning', 'Afternoon', 'Evening']) {
      const box = part.getByRole('checkbox', { name });
      await expect.element(box).toBeVisible();
      box.element().focus();
      await userEvent.keyboard(' ');
    }
    const ask = dialog.getByRole('button', { name: 'Join waiting list' });
    ask.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(part).toMatchTextContent('Choose at least one time of day.');
    await expect.element(part.getByRole('checkbox', { name: 'Morning' })).toHaveFocus();
    await expectNoViolation('wishes that lack something');
    expect(askedFor('waitlist.joinEarlier')).toEqual([]);
    await userEvent.keyboard(' ');
    answer({ 'waitlist.joinEarlier': waits, 'waitlist.mine': [waits] });
    ask.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect
      .poll(() => askedFor('waitlist.joinEarlier'))
      .toMatchObject([{ appointmentId: ahead.id, dayParts: ['morning'] }]);
  },
);

test('tells a client that their request expired unanswered', async () => {
  const request = { ...client['appointments.mine'][0]!, status: 'cancelled', expired: true, actions: [] };
  await openPage('/profile?tab=sessions', { as: 'client', answers: { 'appointments.mine': [request] } });
  await expect.element(page.getByText('Expired, no response').first()).toBeVisible();
});
