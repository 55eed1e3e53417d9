import {
  becomeSpecialist,
  bookDirectly,
  bookWeekly,
  chooseStart,
  offeredTimes,
  readToast,
  storedAppointments,
  weeklyFrom,
  words,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

const newYork = 'America/New_York';

function ofSecondDay(times: readonly string[]): string[] {
  const dayOf = (time: string) => words(time, newYork).day;
  const second = times.find((time) => dayOf(time) !== dayOf(times[0]!))!;
  return times.filter((time) => dayOf(time) === dayOf(second));
}

test(
  'reschedules a series except for a conflicting date, and cancels the rest of it',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const theirs = await open({ timezoneId: newYork });
    const ada = await becomeSpecialist(theirs, product);
    const client = someone();
    await signIn(page, client);
    const [start, , , , , , moved] = ofSecondDay(await offeredTimes(page, product, ada));
    await bookWeekly(page, ada, start!);
    const before = await storedAppointments(product, { client });
    const targets = await weeklyFrom(page, ada, moved!);
    const other = await open();
    await signIn(other, someone());
    await bookDirectly(other, ada, targets[2]!);
    await page.goto('/home');
    const cards = page.getByRole('article', { name: ada.name });
    await page.getByText(`Weekly with ${ada.name} · 3 sessions`).click();
    await expect(cards).toHaveCount(4);

    await theirs.goto('/home');
    await theirs
      .getByRole('button')
      .filter({ has: theirs.getByText(words(start!, newYork).day, { exact: true }) })
      .click();
    await theirs
      .getByRole('article')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await theirs.getByRole('menuitem', { name: 'Reschedule' }).click();
    const dialog = theirs.getByRole('dialog', { name: 'Reschedule' });
    await dialog.getByRole('radio', { name: /^All upcoming sessions 4 sessions/ }).check();
    await chooseStart(dialog, moved!, newYork);
    const plan = dialog.getByRole('region', { name: 'New times' });
    await expect(plan.getByRole('listitem')).toHaveCount(4);
    await expect(plan.getByRole('listitem').nth(2)).toContainText('Already taken');
    await expect(plan.getByRole('alert')).toContainText('1 of 4 dates doesn’t work');
    await dialog.getByRole('button', { name: 'Reschedule 3 sessions' }).click();
    await expect(plan.getByText('Choose another time, or check this box.')).toBeVisible();
    await expect.poll(() => storedAppointments(product, { client })).toEqual(before);

    await plan.getByRole('checkbox', { name: 'Leave 1 session as it is and reschedule the rest' }).check();
    await dialog.getByRole('button', { name: 'Reschedule 3 sessions' }).click();
    await expect(dialog).toBeHidden();
    expect(await theirs.getByRole('article').first().textContent()).toContain(words(moved!, newYork).time);
    await readToast(theirs, '3 sessions rescheduled');
    const expected = [targets[0]!, targets[1]!, before[2]!.startsAt, targets[3]!];
    expect((await storedAppointments(product, { client })).map(({ startsAt }) => startsAt)).toEqual(
      expected.map((at) => new Date(at).toISOString()),
    );
    await expect(cards.nth(0)).toContainText(words(moved!).time);
    await expect(cards.nth(2)).toContainText(words(before[2]!.startsAt).time);

    await cards
      .nth(1)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('radio', { name: /^This and following sessions 3 sessions/ }).check();
    await expect(question.getByRole('listitem')).toHaveText(
      expected.slice(1).map((at) => `${words(at).shortDate}, ${words(at).time}`),
    );
    await question.getByRole('button', { name: 'Cancel 3 sessions' }).click();
    await readToast(page, '3 sessions canceled');
    await expect(cards).toHaveCount(1);
    expect((await storedAppointments(product, { client })).map(({ status }) => status)).toEqual([
      'confirmed',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
  },
);
