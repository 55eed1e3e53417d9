import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { OwnPrayer } from '../prayers/contract.ts';

const path = '/growth?tab=prayer';
const open = recordedFor('client')['growth.prayers.mine'].prayers[0] as OwnPrayer;
const counsellors = recordedFor('client')['growth.prayers.counsellors'];
const doctor = counsellors[0]!;

function listing(...prayers: OwnPrayer[]) {
  return { 'growth.prayers.mine': { prayers, more: false } };
}

const ask = page.getByRole('button', { name: 'Ask for prayer' });
const form = page.getByRole('dialog', { name: 'Ask for prayer' });
const send = form.getByRole('button', { name: 'Ask for prayer' });
const empty = page.getByText('You don’t have to carry it alone');

test(
  'names missing fields, then asks the pastors to pray, by keyboard alone',
  { tags: ['long'] },
  async () => {
    const asked = { ...open, text: 'For my mother in hospital', prayed: [] };
    await openPage(path, { as: 'client', answers: { ...listing(), 'growth.prayers.ask': asked } });
    await expect.element(empty).toBeVisible();
    await expectFair('no prayer requests');
    await press(ask);
    await press(send);
    await expect.element(form.getByText('Write what you’d like prayer for.')).toBeVisible();
    await expect.element(form.getByText('Choose who can read it.')).toBeVisible();
    await expect.element(form.getByLabelText('What would you like prayer for?')).toHaveFocus();
    await expectFair('asking for prayer with problems');
    await userEvent.keyboard('For my mother in hospital');
    await tabTo(form.getByRole('radio', { name: 'One specialist' }));
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(form.getByRole('radio', { name: 'The pastors' })).toBeChecked();
    answer(listing(asked));
    await press(send);
    await expect.element(form).not.toBeInTheDocument();
    await expect.element(page.getByText('When someone prays, you’ll see it here.')).toBeVisible();
    await expect
      .poll(() => askedFor('growth.prayers.ask'))
      .toMatchObject([{ text: 'For my mother in hospital', audience: 'pastors', showName: true }]);
  },
);

test('asks one counselor, found by typing, without a name', { tags: ['long'] }, async () => {
  const asked: OwnPrayer = { ...open, audience: 'counsellor', counsellor: doctor, showName: false };
  await openPage(path, {
    as: 'client',
    answers: {
      ...listing(),
      'growth.prayers.ask': asked,
      'growth.prayers.counsellors': ({ search }: { search?: string }) =>
        counsellors.filter(({ name }) => name.toLowerCase().includes(search ?? '')),
    },
  });
  await ask.click();
  await form.getByLabelText('What would you like prayer for?').fill('For rest at night');
  await form.getByRole('radio', { name: 'One specialist' }).click();
  const field = form.getByLabelText('Which specialist?');
  await expect.element(field).toBeVisible();
  await send.click();
  await expect.element(form.getByText('Choose a specialist.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  await expectFair('choosing a counsellor');
  await field.fill('nobody of that name');
  await expect.element(form.getByText('No matches.')).toBeVisible();
  await field.fill('whitfield');
  await expect.element(form.getByRole('option', { name: doctor.name })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue(`${doctor.name}, ${doctor.title}`);
  await form.getByRole('switch', { name: 'Show my name' }).click();
  answer(listing(asked));
  await send.click();
  await expect.element(page.getByText(`To ${doctor.name}`)).toBeVisible();
  await expect.element(page.getByText('Your name isn’t shown')).toBeVisible();
  await expect
    .poll(() => askedFor('growth.prayers.ask'))
    .toMatchObject([
      { text: 'For rest at night', audience: 'counsellor', showName: false, providerId: doctor.id },
    ]);
});

test(
  'marks a request answered, withdraws one and deletes one after confirmation',
  { tags: ['long'] },
  async () => {
    const answered: OwnPrayer = { ...open, state: 'answered' };
    const closed: OwnPrayer = { ...open, state: 'closed' };
    await openPage(path, {
      as: 'client',
      answers: {
        ...listing(open),
        'growth.prayers.settle': answered,
        'growth.prayers.remove': { id: open.id },
      },
    });
    const settle = page.getByRole('button', { name: 'Mark as answered' });
    await expect.element(settle).toBeVisible();
    await expectFair('a prayer request');
    answer(listing(answered));
    await settle.click();
    await expect.element(page.getByRole('listitem').filter({ hasText: 'Thanks be to God' })).toBeVisible();
    await pressWith(page.getByRole('button', { name: 'Ask again' }), {
      ...listing(open),
      'growth.prayers.settle': open,
    });
    const withdraw = page.getByRole('button', { name: 'Withdraw' });
    // Waits for the previous result before changing the mocked answer.
    await expect.element(withdraw).toBeVisible();
    await pressWith(withdraw, { ...listing(closed), 'growth.prayers.settle': closed });
    await expect.element(page.getByText('Only you can read it now.')).toBeVisible();
    await expect
      .poll(() => askedFor('growth.prayers.settle'))
      .toMatchObject([{ state: 'answered' }, { state: 'open' }, { state: 'closed' }]);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    expect(askedFor('growth.prayers.remove')).toEqual([]);
    answer(listing());
    await page.getByRole('button', { name: 'Delete request' }).click();
    await expect.element(empty).toBeVisible();
    await expect.poll(() => document.activeElement?.closest('main')).toBeTruthy();
  },
);

test('reopens an answered request by keyboard alone', async () => {
  const answered: OwnPrayer = { ...open, state: 'answered' };
  await openPage(path, { as: 'client', answers: { ...listing(answered), 'growth.prayers.settle': open } });
  const again = page.getByRole('button', { name: 'Ask again' });
  await tabTo(again);
  answer(listing(open));
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Mark as answered' })).toBeVisible();
  await expect.element(again).not.toBeInTheDocument();
  await expect.poll(() => askedFor('growth.prayers.settle')).toEqual([{ requestId: open.id, state: 'open' }]);
  await expect.poll(() => document.activeElement?.closest('main')).toBeTruthy();
});

test(
  'sends a request once after a lost answer, and changed words as another',
  { tags: ['long'] },
  async () => {
    await openPage(path, { as: 'client', answers: { ...listing(), 'growth.prayers.ask': unreachable } });
    await ask.click();
    const words = form.getByLabelText('What would you like prayer for?');
    await words.fill('For rest at night');
    await form.getByRole('radio', { name: 'The pastors' }).click();
    for (const [count, typed] of ['For rest at night', 'For rest at night', 'For sleep'].entries()) {
      await words.fill(typed);
      await send.click();
      await expect.poll(() => askedFor('growth.prayers.ask')).toHaveLength(count + 1);
      await expect.element(send).toBeEnabled();
    }
    const [first, again, other] = askedFor('growth.prayers.ask') as { requestId: string }[];
    expect(again!.requestId).toBe(first!.requestId);
    expect(other!.requestId).not.toBe(first!.requestId);
  },
);

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  await openPage(path, { as: 'client', answers: { 'growth.prayers.mine': unreachable } });
  const failed = page.getByText('We couldn’t load this.');
  await expect.element(failed).toBeVisible();
  await expectNoViolation('requests that can’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }), listing(open));
  await expect.element(page.getByText(open.text)).toBeVisible();
  await expect.element(failed).not.toBeInTheDocument();
});
