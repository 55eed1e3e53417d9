import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const services = recordedFor('admin')['catalogue.managed'];
const [first] = services;
const servicesWith = (changed: Partial<typeof first>) => [
  { ...first!, version: first!.version + 1, ...changed },
  ...services.slice(1),
];

const table = page.getByRole('table');
const row = table.getByRole('row').filter({ hasText: first!.title }).first();
const adding = page.getByRole('dialog', { name: 'Add Service' });
const editing = page.getByRole('dialog', { name: 'Edit Service' });
const question = page.getByRole('alertdialog');
const toast = (text: string) => page.getByText(text, { exact: true }).first();
const add = page.getByRole('button', { name: 'Add Service' }).first();
const confirm = adding.getByRole('button', { name: 'Add Service' });
const saveChanges = editing.getByRole('button', { name: 'Save Changes' });

async function openServices(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/settings?tab=services', { as: 'admin', answers });
}

async function choose(action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${first!.title}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

for (const [tab, heading, name] of [
  ['services', 'Service Management', 'Add Service'],
  ['users', 'User Management', 'Export as CSV'],
] as const)
  test(`keeps ${name} beside its heading on phones`, async () => {
    await page.viewport(phone.width, phone.height);
    await openPage(`/admin/settings?tab=${tab}`, { as: 'admin' });
    const button = page.getByRole('button', { name }).first();
    await expect.element(button).toBeVisible();
    const title = page.getByRole('heading', { name: heading, level: 2 });
    expect(button.element().getBoundingClientRect().top).toBeLessThan(
      title.element().getBoundingClientRect().bottom,
    );
  });

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  await openServices({ 'catalogue.managed': unreachable });
  await expect.element(page.getByRole('alert')).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Try again' }), { 'catalogue.managed': services });
  await expect.element(table).toBeVisible();
});

test('shows each service with its stats, and passes accessibility checks', async () => {
  await openServices();
  await expect.element(page.getByRole('heading', { name: 'Service Management', level: 2 })).toBeVisible();
  for (const words of [first!.category, '60 min', '$120', 'Active'])
    await expect.element(row).toMatchTextContent(words);
  await expect.poll(() => table.getByRole('row').elements()).toHaveLength(services.length + 1);
  await expectFair('the services');
});

test(
  'requires a name, category and description when adding a service by keyboard',
  { tags: ['long'] },
  async () => {
    await openServices();
    await press(add);
    await expect.element(adding.getByLabelText('Duration (minutes)')).toHaveValue('60');
    await expect.element(adding.getByLabelText('Price (dollars)')).toHaveValue('0');
    await press(confirm);
    await expect.element(toast('Missing Information')).toBeVisible();
    await expect.element(toast('Please fill in all required fields.')).toBeVisible();
    await expect.element(adding.getByLabelText('Name')).toHaveFocus();
    await expect.poll(() => adding.getByText('Fill this in.').elements()).toHaveLength(3);
    expect(askedFor('catalogue.add')).toEqual([]);
    await expectFair('a service that lacks what is required');
  },
);

test('rejects invalid numbers before saving, naming the bounds', { tags: ['long'] }, async () => {
  await openServices();
  await add.click();
  const duration = adding.getByLabelText('Duration (minutes)');
  const price = adding.getByLabelText('Price (dollars)');
  await adding.getByLabelText('Name').fill('Evening Circle');
  await adding.getByLabelText('Category').selectOptions('Spiritual Guidance');
  await adding.getByLabelText('Description').fill('An evening of quiet prayer.');
  await duration.fill('abc');
  await userEvent.keyboard('{Enter}');
  await expect.element(duration).toHaveValue('60');
  await expect
    .element(adding.getByText(/couldn’t read that number, so this is now 60 minutes/))
    .toBeVisible();
  await duration.fill('0');
  await price.fill('-5');
  await confirm.click();
  await expect.element(duration).toHaveFocus();
  await expect.element(adding.getByText('Enter a whole number from 15 to 240.')).toBeVisible();
  await expect.element(adding.getByText('Enter a price from $0 to $10,000.')).toBeVisible();
  expect(askedFor('catalogue.add')).toEqual([]);
  await duration.fill('80');
  await price.fill('$62.5');
  await adding.getByLabelText('Name').click();
  await expect.element(price).toHaveValue('62.50');
  await adding.getByLabelText('Price for 90 minutes').fill('65');
  const added = { ...first!, id: 'evening-circle', title: 'Evening Circle', version: 1 };
  await pressWith(confirm, { 'catalogue.add': added, 'catalogue.managed': [...services, added] });
  await expect.element(toast('Service Added')).toBeVisible();
  await expect.element(table).toMatchTextContent('Evening Circle');
  await expect
    .poll(() => askedFor('catalogue.add'))
    .toMatchObject([
      {
        title: 'Evening Circle',
        category: 'Spiritual Guidance',
        durationMinutes: 80,
        priceCents: 6_250,
        lengthPrices: [{ minutes: 90, priceCents: 6_500 }],
      },
    ]);
});

test('reports a duplicate service name', async () => {
  await openServices({
    'catalogue.edit': refusal(409, 'conflict', 'taken', { fields: [{ field: 'title', reason: 'taken' }] }),
  });
  await choose('Edit');
  await editing.getByLabelText('Name').fill('Comfort & Healing');
  await saveChanges.click();
  await expect.element(editing.getByLabelText('Name')).toHaveFocus();
  await expect.element(editing.getByLabelText('Name')).toHaveValue('Comfort & Healing');
});

test('reports a concurrent edit and keeps unsaved input', { tags: ['long'] }, async () => {
  await openServices({ 'catalogue.edit': refusal(409, 'conflict', 'changed') });
  await choose('Edit');
  await editing.getByLabelText('Description').fill('What I think it is.');
  answer({ 'catalogue.managed': servicesWith({ priceCents: 5_500 }) });
  tellPage({ type: 'catalogue.changed' });
  // The list updates below the open form.
  await expect.element(page.getByText('$55')).toBeInTheDocument();
  await saveChanges.click();
  await expect
    .element(editing.getByRole('alert'))
    .toMatchTextContent('Someone else changed this service, so your changes weren’t saved');
  await expect.element(editing.getByLabelText('Description')).toHaveValue('What I think it is.');
  await userEvent.keyboard('{Escape}');
  await choose('Edit');
  await expect.element(editing.getByLabelText('Price (dollars)')).toHaveValue('55');
  await editing.getByLabelText('Description').fill('What I think it is.');
  await pressWith(saveChanges, { 'catalogue.edit': { ...first!, version: 3 } });
  await expect.element(toast('Service Updated')).toBeVisible();
  await expect
    .poll(() => askedFor('catalogue.edit'))
    .toMatchObject([
      { version: first!.version },
      { version: first!.version + 1, priceCents: 5_500, description: 'What I think it is.' },
    ]);
});

test('recognizes its own edit when the answer was lost', async () => {
  await openServices({ 'catalogue.edit': unreachable });
  await choose('Edit');
  await editing.getByLabelText('Price (dollars)').fill('62.5');
  await pressWith(saveChanges, { 'catalogue.managed': servicesWith({ priceCents: 6_250 }) });
  await expect.element(editing.getByRole('alert')).toBeVisible();
  await expect.element(page.getByText('$62.50')).toBeInTheDocument();
  await editing.getByLabelText('Description').fill('And more.');
  await pressWith(saveChanges, { 'catalogue.edit': { ...first!, version: first!.version + 2 } });
  await expect.element(toast('Service Updated')).toBeVisible();
  await expect
    .poll(() => askedFor('catalogue.edit'))
    .toMatchObject([{ version: first!.version }, { version: first!.version + 1 }]);
});

test('asks before deactivating a service, and reactivates it immediately', { tags: ['long'] }, async () => {
  await openServices();
  await choose('Deactivate');
  await expect.element(question).toMatchTextContent('Existing bookings stay.');
  const inactive = servicesWith({ active: false });
  await pressWith(question.getByRole('button', { name: 'Deactivate' }), {
    'catalogue.setActive': inactive[0],
    'catalogue.managed': inactive,
  });
  await expect.element(toast('Service Updated')).toBeVisible();
  await expect.element(row).toMatchTextContent('Inactive');
  answer({ 'catalogue.managed': servicesWith({}) });
  await choose('Activate');
  await expect.element(row.getByText('Active', { exact: true })).toBeVisible();
  await expect
    .poll(() => askedFor('catalogue.setActive'))
    .toMatchObject([
      { serviceId: first!.id, active: false },
      { serviceId: first!.id, active: true },
    ]);
});

test('offers to deactivate a service that can’t be deleted', { tags: ['long'] }, async () => {
  await openServices({
    'catalogue.remove': refusal(409, 'conflict', 'service_in_use'),
    'providers.perService': [{ serviceId: first!.id, specialists: 1 }],
  });
  await choose('Delete');
  await expect.element(question).toMatchTextContent('1 provider will no longer offer it');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect
    .element(question.getByRole('alert'))
    .toMatchTextContent('You can’t delete a service that has appointments');
  await expectFair('a service that can’t be deleted');
  const inactive = servicesWith({ active: false });
  await pressWith(question.getByRole('button', { name: 'Deactivate it instead' }), {
    'catalogue.setActive': inactive[0],
    'catalogue.managed': inactive,
  });
  await expect.element(toast('Service Updated')).toBeVisible();
  await expect.element(row).toMatchTextContent('Inactive');
});

test('deletes an unused service', async () => {
  await openServices({
    'catalogue.remove': () => {
      answer({ 'catalogue.managed': services.slice(1) });
      return undefined;
    },
  });
  await choose('Delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.element(toast('Service Deleted')).toBeVisible();
  await expect.element(page.getByText(first!.description)).not.toBeInTheDocument();
});
