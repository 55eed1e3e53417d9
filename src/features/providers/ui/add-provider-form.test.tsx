import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const add = page.getByRole('button', { name: 'Add Provider' });
const name = page.getByLabelText('Full name');
const said = (text: string) => page.getByText(text, { exact: true }).first();
const added = { id: '01a20ca3-0000-7000-8000-000000000001', name: 'Dr. Ruth Kern', slug: 'dr-ruth-kern' };

async function openForm(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/add-provider', { as: 'admin', answers });
  await expect.element(name).toBeVisible();
}

async function fill(): Promise<void> {
  await name.fill('Dr. Ruth Kern');
  await page.getByLabelText('Email').fill('ruth@people.example');
  await page.getByRole('radio', { name: 'Doctor/Therapist' }).click();
  await page.getByLabelText('Specialization').fill('Grief');
}

test('shows four sections and six languages, and passes accessibility checks', async () => {
  await openForm();
  for (const section of [
    'Basic Information',
    'Professional Details',
    'Services & Languages',
    'Professional Biography',
  ])
    await expect.element(page.getByRole('heading', { name: section })).toBeVisible();
  for (const language of ['English', 'Spanish', 'French', 'German', 'Mandarin', 'Portuguese'])
    await expect.element(page.getByRole('checkbox', { name: language })).toBeVisible();
  await expect.element(page.getByLabelText('About the provider')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/home');
  await expectFair('adding a provider');
});

test('reports missing fields and focuses the first', async () => {
  await openForm();
  await add.click();
  await expect.element(said('Missing Information')).toBeVisible();
  await expect.element(said('Please fill in all required fields.')).toBeVisible();
  await expect.element(name).toHaveFocus();
  await expect.element(page.getByLabelText('Specialization')).toHaveAttribute('aria-invalid', 'true');
  expect(askedFor('providers.applications.add')).toEqual([]);
  await expectFair('a provider who lacks what is required');
});

test('asks before leaving a provider who isn’t added yet', async () => {
  await openForm();
  await fill();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(name).toHaveValue('Dr. Ruth Kern');
});

test('adds a provider, confirms it and clears the form', async () => {
  await openForm({ 'providers.applications.add': added });
  await fill();
  await add.click();
  await expect.element(said('Provider Added Successfully')).toBeVisible();
  await expect
    .element(
      said('Dr. Ruth Kern has been added as a Doctor/Therapist and will receive welcome instructions.'),
    )
    .toBeVisible();
  await expect.element(name).toHaveValue('');
  await expect.element(name).toHaveFocus();
});

test('keeps input when the address already has an account', async () => {
  await openForm({
    'providers.applications.add': refusal(409, 'conflict', 'account_exists'),
  });
  await fill();
  await add.click();
  await expect.element(page.getByText('This email already belongs to an account')).toBeVisible();
  await expect.element(name).toHaveValue('Dr. Ruth Kern');
});

test('turns a client’s account into a specialist’s only on request', async () => {
  await openForm({
    'providers.applications.add': refusal(409, 'conflict', 'account_is_client', {
      data: { name: 'Ruth Kern' },
    }),
  });
  await fill();
  await add.click();
  await expect.element(page.getByText('already has a client account with this email')).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Convert to provider' }), {
    'providers.applications.add': added,
  });
  await expect.element(said('Provider Added Successfully')).toBeVisible();
  await expect
    .poll(() => askedFor('providers.applications.add'))
    .toMatchObject([{ existing: false }, { existing: true }]);
});

test('is filled in for a client whose role is being changed', async () => {
  const promoted = { name: 'Ruth Kern', email: 'ruth@people.example', type: 'pastor' };
  await openPage('/admin/add-provider', {
    as: 'admin',
    answers: { 'providers.applications.add': added },
    state: promoted,
  });
  await expect.element(name).toHaveValue(promoted.name);
  await expect.element(page.getByLabelText('Email')).toHaveValue(promoted.email);
  await expect.element(page.getByRole('radio', { name: 'Pastor/Counselor' })).toBeChecked();
  await page.getByLabelText('Specialization').fill('Grief');
  await page.getByRole('button', { name: 'Convert to provider' }).click();
  await expect
    .poll(() => askedFor('providers.applications.add'))
    .toMatchObject([{ email: promoted.email, type: 'pastor', existing: true }]);
});
