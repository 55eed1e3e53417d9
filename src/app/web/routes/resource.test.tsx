import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { ResourceContent, ResourceDetail } from '#/features/resources/library/contract.ts';

const resource = recordedFor('client')['resources.get'] as ResourceDetail;
const article = recordedFor('client')['resources.content'] as ResourceContent;
const path = `/resources/${resource.id}`;
const kept: ResourceDetail = { ...resource, got: true, ownRating: null };
const unread: ResourceDetail = { ...resource, got: false, ownRating: null };
const file = { name: 'ten-questions.pdf', contentType: 'application/pdf', size: 20_480 };

const rating = page.getByRole('group', { name: 'Rate this resource' });

test('describes a resource to a guest, and withholds its content', async () => {
  await openPage(path);
  await expect.element(page.getByRole('heading', { name: 'Get this to read it here' })).toBeVisible();
  expect(askedFor('resources.content')).toEqual([]);
  await expectFair('a resource for a guest');
});

test('reports a resource that doesn’t exist', async () => {
  await openPage('/resources/nothing', { answers: { 'resources.get': refusal(404, 'not_found') } });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Resource not found');
  await expectFair('a resource that isn’t there');
});

test('shows a resource’s content once a client gets it', async () => {
  await openPage(path, {
    as: 'client',
    answers: { 'resources.get': unread, 'resources.take': article, 'resources.content': article },
  });
  await expect.element(rating).not.toBeInTheDocument();
  await pressWith(page.getByRole('button', { name: 'Get' }), { 'resources.get': kept });
  await expect.element(page.getByText('Nobody can tell you how your grief will go.')).toBeVisible();
  await expect.element(rating).toBeVisible();
  await expectFair('an article');
});

test('requires a star rating before saving, by keyboard alone', async () => {
  const rated: ResourceDetail = { ...kept, ownRating: 5 };
  await openPage(path, { as: 'client', answers: { 'resources.get': kept, 'resources.rate': rated } });
  const save = page.getByRole('button', { name: 'Save rating' });
  await press(save);
  await expect.element(page.getByText('Choose one to five stars.')).toBeVisible();
  await expect.element(rating.getByRole('radio', { name: '1 star', exact: true })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect.element(rating.getByRole('radio', { name: '5 stars' })).toBeChecked();
  answer({ 'resources.get': rated });
  await tabTo(save);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Rating saved', { exact: true })).toBeVisible();
  await expect.poll(() => askedFor('resources.rate')).toEqual([{ resourceId: resource.id, rating: 5 }]);
});

test('offers a PDF to open or download', async () => {
  await openPage(path, {
    as: 'client',
    answers: {
      'resources.get': { ...kept, form: 'file', file },
      'resources.content': {
        version: 1,
        form: 'file',
        url: '/files/sheet.pdf?signed',
        seconds: 43_200,
        file,
      },
    },
  });
  const open = page.getByRole('link', { name: 'Open the PDF' });
  await expect.element(open).toHaveAttribute('href', '/files/sheet.pdf?signed');
  await expect.element(page.getByRole('link', { name: 'Download' }).getByText('20 KB')).toBeVisible();
  await expectFair('a sheet');
});

test('says that a link leaves the site', async () => {
  const url = 'https://ebible.org/mark';
  await openPage(path, {
    as: 'client',
    answers: {
      'resources.get': { ...kept, form: 'link' },
      'resources.content': { version: 1, form: 'link', url },
    },
  });
  const link = page.getByRole('link', { name: 'Go to ebible.org' });
  await expect.element(link).toHaveAttribute('href', url);
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect.element(link).toHaveAttribute('target', '_blank');
  await expectFair('a link elsewhere');
});
