import { becomeSpecialist, toast } from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';
import { becomeAdministrator } from './support/people.ts';

test(
  'shows a specialist’s profile and towns on their page immediately, to guests and search engines',
  { tag: '@long' },
  async ({ page, product, open }) => {
    const { id } = await becomeSpecialist(page, product, { name: 'Dr. Edith Moor' });
    const path = `/therapists/specialist-${id}`;
    const guest = await open();
    const shown = guest.getByRole('main');
    await page.goto('/practice');
    await page.getByLabel('Title', { exact: true }).fill('Family Therapist');
    await page.getByLabel('About you').fill('Takes her time.');
    const specialties = page.getByRole('group', { name: 'Specialties' });
    await specialties.getByRole('textbox').fill('Sleep');
    await specialties.getByRole('textbox').press('Enter');
    await specialties.getByRole('button', { name: 'Remove Grief' }).click();
    await page.getByRole('group', { name: 'Session types' }).getByLabel('By phone').uncheck();
    await page.getByRole('button', { name: 'Save Page' }).click();
    await expect(toast(page, 'Page saved')).toBeVisible();
    await page.getByRole('tab', { name: 'Places' }).click();
    await page.getByRole('button', { name: 'Add a place' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a place' });
    for (const [field, words] of [
      ['Name', 'The practice'],
      ['Address', '12 Elm Street'],
      ['City', 'Salem, MA'],
      ['Latitude', '42.36'],
      ['Longitude', '-71.06'],
    ] as const)
      await dialog.getByLabel(field).fill(words);
    await dialog.getByRole('button', { name: 'Save place' }).click();
    await expect(page.getByRole('article', { name: 'The practice' })).toBeVisible();

    await guest.goto(path);
    await expect(guest).toHaveTitle(/^Dr\. Edith Moor, Family Therapist/);
    for (const said of [
      'Takes her time.',
      'Sleep',
      'In person in Salem, MA.',
      'is checking their credentials',
    ])
      await expect(shown).toContainText(said);
    for (const gone of ['Psychologist', 'Grief', 'By phone']) await expect(shown).not.toContainText(gone);
    expect(await guest.content()).not.toContain('Elm Street');
    const head = await guest.evaluate(() => ({
      canonical: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
      card: document.querySelector<HTMLMetaElement>('meta[property="og:image"]')?.content,
      structured: JSON.parse(
        document.querySelector('script[type="application/ld+json"]')!.textContent,
      ) as object,
    }));
    expect(head.canonical).toMatch(new RegExp(`${path}$`));
    expect(head.card).toMatch(/\/cards\/therapists\.png$/);
    expect(head.structured).toMatchObject({ '@type': 'Person', name: 'Dr. Edith Moor' });
    expect(await (await guest.request.get('/sitemap.xml')).text()).toContain(`${path}</loc>`);
    for (const nowhere of [
      '/therapists/nobody-at-all',
      '/therapists/Not%20An%20Address',
      '/therapists/%00',
    ]) {
      const status = (await guest.request.get(nowhere)).status();
      expect(status >= 400 && status < 500, `${nowhere} answers ${status}`).toBe(true);
    }
  },
);

test(
  'publishes credentials once approved, and keeps them if a change is rejected',
  { tag: '@long' },
  async ({ page, product, open }) => {
    const { id, email } = await becomeSpecialist(page, product, { name: 'Dr. Clara Voss' });
    const admin = await open();
    await becomeAdministrator(admin, product);
    const guest = await open();
    const shown = guest.getByRole('main');
    const readPage = () => guest.goto(`/therapists/specialist-${id}`);
    const mailWith = async (words: string) =>
      (await mailsTo(product, email)).filter(({ text }) => text.includes(words)).length;
    await page.goto('/practice?tab=credentials');
    const credentials = page.getByRole('tabpanel', { name: 'Credentials' });
    const send = async (number: string, region: string) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Issued by').fill('Board of Psychology');
      await dialog.getByLabel('Valid in').fill(region);
      await dialog.getByLabel('Number').fill(number);
      await dialog.getByLabel('Valid until').fill('2099-06-30');
      await dialog.getByRole('button', { name: 'Send for approval' }).click();
      await expect(credentials.getByText('In review', { exact: true })).toBeVisible();
    };
    const entry = admin.getByRole('article', { name: 'Dr. Clara Voss’s credentials' });
    await credentials.getByRole('button', { name: 'Add a credential' }).click();
    await send('PSY 4711', 'New York');
    await admin.goto('/admin/moderation?tab=credentials');
    await expect(entry).toContainText('PSY 4711');
    await entry.getByRole('button', { name: 'Approve' }).click();
    await expect(credentials.getByText('Approved', { exact: true })).toBeVisible();
    await readPage();
    await expect(shown).toContainText('License: Board of Psychology, New York');
    await expect(shown).toContainText('Valid until June 2099');
    expect(await guest.content()).not.toContain('4711');
    await expect.poll(() => mailWith('now appear on your page')).toBe(1);

    await credentials.getByRole('button', { name: 'Change Board of Psychology' }).click();
    await send('PSY 4712', 'Vermont');
    await expect(entry).toContainText('Vermont');
    await entry.getByRole('button', { name: 'Reject' }).click();
    const why = admin.getByRole('alertdialog');
    await why.getByLabel('Reason').fill('The board of Vermont doesn’t know this number.');
    await why.getByRole('button', { name: 'Reject' }).click();
    await expect(credentials).toContainText('The board of Vermont doesn’t know this number.');
    await expect.poll(() => mailWith('couldn’t approve your credentials')).toBe(1);
    await readPage();
    await expect(shown).toContainText('Board of Psychology, New York');
  },
);
