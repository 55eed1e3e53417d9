import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const resource = { ...recordedFor('admin')['resources.get'], featured: false };
const takeDown = page.getByRole('main').getByRole('button', { name: 'Unpublish' });
const question = page.getByRole('alertdialog');

async function openResource(answers: object = {}): Promise<void> {
  await openPage(`/resources/${resource.id}`, {
    as: 'admin',
    answers: { 'resources.get': resource, 'resources.unpublish': { unpublished: true }, ...answers },
  });
}

test('features a resource and confirms it', async () => {
  await openResource({
    'resources.feature': () => {
      answer({ 'resources.get': { ...resource, featured: true } });
      return { featured: true };
    },
  });
  await page.getByRole('button', { name: 'Add to featured' }).click();
  await expect.element(page.getByText('Added to featured', { exact: true })).toBeVisible();
  await expect
    .poll(() => askedFor('resources.feature'))
    .toMatchObject([{ resourceId: resource.id, featured: true }]);
});

test('requires a reason to take a resource down', async () => {
  await openResource();
  await takeDown.click();
  await question.getByRole('button', { name: 'Unpublish' }).click();
  await expect.element(question.getByLabelText('Reason')).toHaveFocus();
  expect(askedFor('resources.unpublish')).toEqual([]);
  await expectFair('taking a resource down');
  await question.getByLabelText('Reason').fill('Its source isn’t named.');
  await question.getByRole('button', { name: 'Unpublish' }).click();
  await expect.poll(address).toBe('/resources');
  await expect
    .poll(() => askedFor('resources.unpublish'))
    .toMatchObject([{ resourceId: resource.id, reason: 'Its source isn’t named.' }]);
});
