import { expect, someone, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';
import { becomeAdministrator } from './support/people.ts';

test(
  'adds a provider, who sets a password by emailed link and appears in the directory',
  { tag: '@long' },
  async ({ page, open, product }) => {
    await becomeAdministrator(page, product);
    await page.goto('/admin/add-provider');
    const email = someone('added');
    const name = 'Pastor Abel Added';
    await page.getByLabel('Full name').fill(name);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('radio', { name: 'Pastor/Counselor' }).check();
    await page.getByLabel('Specialization').fill('Youth');
    await page.getByRole('checkbox', { name: 'Individual Healing' }).check();
    await page.getByRole('checkbox', { name: 'German' }).check();
    await page.getByRole('button', { name: 'Add Provider' }).click();
    await expect(page.getByText('Provider Added Successfully', { exact: true })).toBeVisible();

    const mails = async () => (await mailsTo(product, email)).filter(({ subject }) => subject === 'Welcome');
    await expect.poll(async () => (await mails()).length).toBe(1);
    const [link] = (await mails())[0]!.text.match(/https?:\/\/\S+\/reset-password\S*/)!;
    const added = await open();
    await added.goto(link);
    await added.getByLabel('New Password').fill('a-new-password-of-mine');
    await added.getByRole('button', { name: 'Save and Sign In' }).click();
    await expect(added).toHaveURL(/\/practice$/);
    await expect(added.getByLabel('Title')).toHaveValue('Ordained pastoral counselor');

    const guest = await open();
    await guest.goto(`${product.url}/therapists`);
    await guest.getByRole('link', { name }).first().click();
    await expect(guest.getByRole('heading', { level: 1, name })).toBeVisible();
  },
);
