import { becomeSpecialist, bookDirectly, offeredTimes, toast } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { morningZone } from './support/zones.ts';

test('Session Reminders and Community Updates decide what is sent', async ({ page, open, product }) => {
  // Alarms are looked at twice a minute, mornings once.
  test.setTimeout(240_000);
  const ada = await becomeSpecialist(await open(), product);
  const [quiet, glad] = [someone('quiet'), someone('glad')];
  const other = await open();
  await signIn(page, quiet);
  await signIn(other, glad);
  const times = await offeredTimes(page, product, ada);
  await bookDirectly(page, ada, times.at(0)!);
  await bookDirectly(other, ada, times.at(-1)!);
  for (const one of [page, other]) await call(one, '/api/me/preferences', { communityUpdates: true });
  await page.goto('/profile?tab=settings');
  await page.getByRole('switch', { name: 'Session Reminders' }).click();
  await expect(toast(page, 'Session Reminders: off')).toBeVisible();
  await page.getByRole('switch', { name: 'Community Updates' }).click();
  await expect(toast(page, 'Community Updates: off')).toBeVisible();
  const both = 'select id from users where email = any($1)';
  // As if it were the time of their reminders, and a Monday's morning after a year of new works.
  await product.query(`update users set email_verified = true where id in (${both})`, [[quiet, glad]]);
  await product.query(`update profiles set time_zone = $2 where id in (${both})`, [
    [quiet, glad],
    morningZone(),
  ]);
  await product.query(
    `update mornings set stale = false, community_at = now(), community_from = now() - interval '1 year'
     where person_id in (${both})`,
    [[quiet, glad]],
  );
  await product.query(
    `update jobs.job set start_after = now() where data -> 'payload' ->> 'reminderId' in
       (select id::text from reminders where person_id in (${both}))`,
    [[quiet, glad]],
  );
  const sent = (kind: string) => () =>
    product.query<{ recipient: string }>(
      'select distinct recipient from mails where key like $2 and recipient = any($1)',
      [[quiet, glad], `${kind}:%`],
    );
  await expect.poll(sent('reminder'), { timeout: 60_000 }).toEqual([{ recipient: glad }]);
  await expect.poll(sent('community'), { timeout: 100_000 }).toEqual([{ recipient: glad }]);
  const unsent = () =>
    product.query(
      `select person_id from reminders where person_id in (${both}) and sent_at is null
       union all select person_id from mornings where person_id in (${both}) and community_at <= now()`,
      [[quiet, glad]],
    );
  await expect.poll(unsent, { timeout: 100_000 }).toEqual([]);
  for (const kind of ['reminder', 'community']) expect(await sent(kind)()).toEqual([{ recipient: glad }]);
});
