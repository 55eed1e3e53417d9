import { startProduct } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  confirm,
  confirmedDialog,
  fill,
  openBooking,
  storedAppointments,
  words,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

// This test restarts its product, so it can't share one.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const first = await startProduct();
      const product = { ...first };
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

test('keeps typed input while the server is down, then books once and keeps the booking', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket/,
  );
  const startAgain = async () => {
    const { port } = new URL(product.url);
    Object.assign(product, await startProduct({ dataDir: product.dataDir, port: Number(port) }));
  };
  const counts = () =>
    product.query(`select (select count(*) from users) as users, (select count(*) from appointments) as appointments,
      (select count(*) from reviews) as reviews`);
  const client = someone('staying');
  const doctor = await becomeSpecialist(page, product, { name: 'Dr. Ada Winter' });
  await signIn(page, client);
  const dialog = await openBooking(page, doctor);
  const start = await fill(dialog);
  await dialog.getByLabel('Full name').fill('Lydia Stays');
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 555 010 0155');
  const seeded = await counts();

  await product.kill();
  await confirm(dialog);
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText('We couldn’t reach the server');
  await expect(refusal).toContainText('What you entered is still here.');
  await expect(dialog.getByLabel('Full name')).toHaveValue('Lydia Stays');
  await expect(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('+1 555 010 0155');
  await expect(dialog.getByRole('radio', { name: /Online Video Call/ })).toBeChecked();

  await startAgain();
  expect(await counts()).toEqual(seeded);
  expect(await storedAppointments(product, { client })).toEqual([]);
  await confirm(dialog);
  await expect(confirmedDialog(page)).toContainText(words(start).date);
  const booked = await storedAppointments(product, { client });
  expect(booked).toMatchObject([
    { startsAt: new Date(start).toISOString(), status: 'confirmed', contactName: 'Lydia Stays' },
  ]);

  await product.kill();
  await startAgain();
  await expect.poll(() => storedAppointments(product, { client })).toEqual(booked);
  await page.goto('/home');
  await expect(page.getByRole('article', { name: doctor.name })).toContainText(words(start).time);
  // If the kill interrupted the email job, it's retried after a missed heartbeat.
  await expect(async () => {
    await page.goto('/dev/mail');
    const mails = page.getByRole('link').filter({ hasText: client }).filter({ hasText: 'booked' });
    await expect(mails).toHaveCount(1, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });

  // A clean stop also stops the database and leaves it ready for the next start.
  await page.goto('about:blank');
  expect(await product.stop()).toBe(0);
  await expect(product.query('select 1')).rejects.toThrow();
  await startAgain();
  await expect.poll(() => storedAppointments(product, { client })).toEqual(booked);
  await page.goto('/home');
  await expect(page.getByRole('article', { name: doctor.name })).toContainText(words(start).time);
});
