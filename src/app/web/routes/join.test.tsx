import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { OwnApplication } from '#/features/providers/applications/contract.ts';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import '../../../../tests/components/uploads.ts';

const application: OwnApplication = {
  id: '01a20c00-0000-7000-8000-000000000001',
  status: 'pending',
  type: 'doctor',
  specialization: 'Grief, Trauma',
  submittedAt: '2026-11-20T08:00:00Z',
  decidedAt: null,
  reason: null,
  documents: [],
};
const main = page.getByRole('main');
const waiting = page.getByRole('heading', { name: 'Your application is under review' });

const openAs = (own: OwnApplication | null) =>
  openPage('/join', {
    as: 'client',
    answers: { 'providers.applications.mine': { application: own, documents: [] } },
  });

test('explains to a guest how to join, and asks them to sign in', async () => {
  await openPage('/join');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Join as a provider' })).toBeVisible();
  await expectFair('joining as a guest');
  await main.getByRole('button', { name: 'Sign In' }).click();
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
});

test('names missing fields, and focuses the first', async () => {
  await openAs(null);
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect.element(page.getByText('Add at least one document.')).toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'Doctor/Therapist' })).toHaveFocus();
  expect(askedFor('providers.applications.submit')).toEqual([]);
  await expectFair('the application');
});

const upload = 'POST /api/application/documents';

test('rejects a file whose content doesn’t match its type, and accepts the next one', async () => {
  const name = 'license.pdf';
  const [fake, real] = ['<!doctype html><script>1</script>', '%PDF-1.4'].map(
    (bytes) => new File([bytes], name, { type: 'application/pdf' }),
  );
  await openAs(null);
  const field = page.getByLabelText('Add a document');
  const added = page.getByRole('link', { name });
  answer({
    [upload]: refusal(400, 'invalid', 'invalid', { fields: [{ field: 'file', reason: 'file_type' }] }),
  });
  await field.upload(fake!);
  await expect.element(page.getByText('This isn’t a PDF, JPEG, or PNG.')).toBeVisible();
  expect(added.query()).toBe(null);
  const id = '01a20c00-0000-7000-8000-000000000002';
  const path = `/api/application/documents/${id}`;
  answer({
    [upload]: { id, name, contentType: 'application/pdf', size: 8, path },
    'providers.applications.removeDocument': { id },
  });
  await field.upload(real!);
  await expect.element(page.getByText('license.pdf has been added')).toBeVisible();
  await expect.element(page.getByText('This isn’t a PDF, JPEG, or PNG.')).not.toBeInTheDocument();
  await expectFair('an application with a document');
  await page.getByRole('button', { name: 'Remove license.pdf' }).click();
  await expect.element(added).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('providers.applications.removeDocument'))
    .toMatchObject([{ documentId: id }]);
});

test('keeps other documents as they are while one is being removed', async () => {
  const documents = ['license.pdf', 'diploma.pdf', 'reference.pdf'].map((name, index) => {
    const id = `01a20c00-0000-7000-8000-00000000000${index + 2}`;
    return { id, name, contentType: 'application/pdf', size: 8, path: `/api/application/documents/${id}` };
  });
  const removed = new Map(documents.map(({ id }) => [id, Promise.withResolvers<object>()]));
  await openPage('/join', {
    as: 'client',
    answers: {
      'providers.applications.mine': { application: null, documents },
      'providers.applications.removeDocument': ({ documentId }: { documentId: string }) =>
        removed.get(documentId)!.promise,
    },
  });
  const links = main.getByRole('link', { name: /pdf$/ });
  await page.getByRole('button', { name: 'Remove license.pdf' }).click();
  await page.getByRole('button', { name: 'Remove diploma.pdf' }).click();
  for (const [id, { resolve }] of removed) resolve({ id });
  await expect.poll(() => links.elements().map(({ textContent }) => textContent)).toEqual(['reference.pdf']);
});

test('drops documents that were deleted meanwhile, and says so', { tags: ['long'] }, async () => {
  const id = '01a20c00-0000-7000-8000-000000000002';
  const path = `/api/application/documents/${id}`;
  const document = { id, name: 'license.pdf', contentType: 'application/pdf', size: 8, path };
  await openPage('/join', {
    as: 'client',
    answers: {
      'providers.applications.mine': { application: null, documents: [document] },
      'providers.applications.submit': () => {
        answer({ 'providers.applications.mine': { application: null, documents: [] } });
        return refusal(400, 'invalid', 'fields', {
          fields: [{ field: 'documentIds', reason: 'document_missing' }],
        });
      },
    },
  });
  await page.getByRole('radio', { name: 'Doctor/Therapist' }).click();
  for (const [label, text] of [
    ['Specialization', 'Grief'],
    ['Experience', '12 years'],
    ['Location', 'Boston, MA'],
    ['Number', 'PSY 77'],
    ['Issued by', 'Board of Psychology'],
    ['Valid in', 'Massachusetts'],
    ['About you', 'I listen first.'],
  ] as const)
    await page.getByLabelText(label, { exact: true }).fill(text);
  await page.getByRole('group', { name: 'Services' }).getByRole('checkbox').first().click();
  await page.getByRole('checkbox', { name: 'English' }).click();
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect.element(page.getByText('One of your documents is missing.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'license.pdf' })).not.toBeInTheDocument();
});

test('asks before leaving an unsent application', async () => {
  await openAs(null);
  const phone = page.getByLabelText('Phone');
  await phone.fill('+41 44 668 18 00');
  await page.getByRole('banner').getByRole('link').first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(phone).toHaveValue('+41 44 668 18 00');
});

test('withdraws a pending application after confirmation', async () => {
  await openAs(application);
  await expect.element(waiting).toBeVisible();
  await expectFair('an application that waits');
  await page.getByRole('button', { name: 'Withdraw application' }).click();
  const none = { application: null, documents: [] };
  await pressWith(page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw application' }), {
    'providers.applications.withdraw': none,
    'providers.applications.mine': none,
  });
  await expect.element(page.getByText('Application withdrawn', { exact: true })).toBeVisible();
  await expect.element(waiting).not.toBeInTheDocument();
});

test('shows why an application was rejected, and allows applying again', async () => {
  const reason = 'The board doesn’t know this number.';
  await openAs({ ...application, status: 'rejected', decidedAt: '2026-11-21T08:00:00Z', reason });
  await expect.element(page.getByText(`Reason: ${reason}`)).toBeVisible();
  await expectFair('an application that was rejected');
  await page.getByRole('button', { name: 'Apply again' }).click();
  await expect.element(page.getByLabelText('Specialization')).toBeVisible();
});

test('links a specialist to their practice, and denies applications by administrators', async () => {
  await openPage('/join', { as: 'doctor' });
  await expect
    .element(page.getByRole('link', { name: 'Go to your practice' }))
    .toHaveAttribute('href', '/practice');
  await openPage('/join', { as: 'admin' });
  await expect.element(page.getByRole('heading', { name: 'This account can’t apply' })).toBeVisible();
});
