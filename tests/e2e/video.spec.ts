import {
  callOptions,
  clientName,
  control,
  expectSilence,
  expectToHear,
  expectToSee,
  expectToSeeAndHear,
  goIn,
  letIn,
  liveTracks,
  picture,
  received,
  twoPeople,
} from './support/call.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ launchOptions: callOptions });

test('connects a waiting client and a specialist, who see and hear each other', async ({
  page,
  open,
  product,
}) => {
  const { ada, theirs, id } = await twoPeople(page, open, product);
  await page.goto('/home');
  await page.getByRole('link', { name: `Join the session with ${ada.name}` }).click();
  await goIn(page);
  await expect(page.getByRole('heading', { name: 'You’re in the waiting room' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: ada.name })).toHaveText(
    `${ada.name} isn’t here yet and will let you in when they arrive.`,
  );

  await theirs.goto('/home');
  await theirs
    .getByRole('link', { name: `Join the session with ${clientName}` })
    .first()
    .click();
  await expect(theirs).toHaveURL(new RegExp(`/session/${id}$`));
  await goIn(theirs);
  await expect(theirs.getByRole('listitem').getByText(`${clientName} is waiting to join.`)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: ada.name })).toHaveText(
    `${ada.name} knows you’re here and will let you in.`,
  );
  await expect.poll(() => received(page), 'connections of one who waits').toEqual([]);
  await letIn(theirs, clientName);

  await expectToSeeAndHear(page);
  await expectToSeeAndHear(theirs);
  await expect(page.getByRole('heading', { name: `Session with ${ada.name}` })).toBeVisible();
  await expect(picture(page, ada.name).locator('video')).toBeVisible();
  await expect(picture(theirs, clientName).locator('video')).toBeVisible();

  await test.step('stops sound or picture when the microphone or camera is off, and shows it', async () => {
    const face = picture(theirs, clientName);

    await control(page, 'Microphone').click();
    await expect(control(page, 'Microphone')).toHaveAttribute('aria-pressed', 'false');
    await expect(face.getByText('Microphone off')).toBeAttached();
    await expectSilence(theirs);
    await control(page, 'Microphone').click();
    await expect(face.getByText('Microphone off')).toHaveCount(0);
    await expectToHear(theirs);

    await control(page, 'Camera').click();
    await expect(control(page, 'Camera')).toHaveAttribute('aria-pressed', 'false');
    await expect(face.locator('video')).toBeHidden();
    await expect.poll(() => liveTracks(page)).toEqual(['audio']);
    await expectToHear(theirs);
    await control(page, 'Camera').click();
    await expect(face.locator('video')).toBeVisible();
    await expectToSee(theirs);
    await expect(picture(page, ada.name).locator('video')).toBeVisible();
  });
});
