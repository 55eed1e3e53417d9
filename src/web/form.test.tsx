import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { AppError } from '#/kernel/errors.ts';
import { noDirectionControls } from '#/kernel/text.ts';
import { Button } from './components/button.tsx';
import { Field, TextInput } from './components/field.tsx';
import { useForm, type FormOptions } from './form.tsx';
import type { Limits } from './limits.ts';

type Values = { title: string; note: string };

const limits: Limits = {
  title: { kind: 'text', required: true, min: 1, max: 20, patterns: [noDirectionControls.source] },
  note: { kind: 'text', max: 1_500 },
};

function Form({ save, ...options }: Pick<FormOptions<Values>, 'save'> & Partial<FormOptions<Values>>) {
  const form = useForm<Values>({
    values: { title: '', note: '' },
    limits,
    sentence: (field, reason) => (field === 'title' && reason === 'taken' ? 'Taken' : `Correct the ${field}`),
    failureText: () => 'Not saved',
    save: async (values) => {
      const stored = await save(values);
      if (stored) form.takeSaved(stored as Values);
    },
    ...options,
  });
  const { props, register, errorOf, failure, busy, unsaved } = form;
  return (
    <form {...props}>
      <Field label="Title" error={errorOf('title')}>
        <TextInput {...register('title')} />
      </Field>
      <Field label="Note" error={errorOf('note')}>
        <TextInput {...register('note')} />
      </Field>
      <p>{failure}</p>
      <output>{unsaved ? 'unsaved' : 'saved'}</output>
      <Button type="submit" busy={busy}>
        Save
      </Button>
    </form>
  );
}

const title = page.getByLabelText('Title');
const note = page.getByLabelText('Note');
const saveButton = page.getByRole('button', { name: 'Save' });

test('checks the limits before sending and focuses the first invalid field', async () => {
  const sent: Values[] = [];
  await render(<Form save={async (values) => void sent.push(values)} />);
  await note.fill('n'.repeat(1_501));
  await saveButton.click();
  await expect.element(title).toHaveFocus();
  await expect.element(title).toHaveAccessibleDescription('Correct the title');
  await expect.element(note).toHaveAccessibleDescription('Use at most 1,500 characters.');
  expect(sent).toEqual([]);

  await title.fill('A title');
  await expect.element(title).not.toHaveAccessibleDescription();
  await note.fill('A note');
  await saveButton.click();
  await expect.poll(() => sent).toEqual([{ title: 'A title', note: 'A note' }]);
});

test('takes what was stored, and keeps what was typed meanwhile', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<Values>();
  await render(<Form save={() => answered} />);
  await title.fill('  A title');
  await note.fill('A no');
  await saveButton.click();
  await note.click();
  await userEvent.keyboard('te');
  resolve({ title: 'A title', note: 'A no' });
  await expect.element(title).toHaveValue('A title');
  await expect.element(note).toHaveValue('A note');
  await expect.element(page.getByRole('status')).toHaveTextContent('unsaved');
});

test('shows the server’s errors at their fields until corrected', async () => {
  await render(
    <Form
      save={() =>
        Promise.reject(new AppError('conflict', 'taken', { fields: [{ field: 'title', reason: 'taken' }] }))
      }
    />,
  );
  await title.fill('A title');
  await saveButton.click();
  await expect.element(title).toHaveFocus();
  await expect.element(title).toHaveAccessibleDescription('Taken');
  await userEvent.keyboard('!');
  await expect.element(title).not.toHaveAccessibleDescription();
});

test('saves other fields next to a stored text that is refused since', async () => {
  const sent: Values[] = [];
  await render(
    <Form values={{ title: 'A \u202etitle', note: '' }} save={async (values) => void sent.push(values)} />,
  );
  await expect.element(title).toHaveValue('A title');
  await note.fill('A note');
  await saveButton.click();
  await expect.poll(() => sent).toEqual([{ title: 'A title', note: 'A note' }]);
});

test('keeps what was typed after another failure', async () => {
  await render(<Form save={() => Promise.reject(new AppError('conflict', 'changed'))} />);
  await title.fill('A title');
  await expect.element(page.getByRole('status')).toHaveTextContent('unsaved');
  await saveButton.click();
  await expect.element(page.getByText('Not saved')).toBeVisible();
  await expect.element(title).toHaveValue('A title');
});

test('sends once, however often the form is submitted meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  await render(
    <Form
      save={() => {
        sent += 1;
        return promise;
      }}
    />,
  );
  await title.fill('A title');
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.poll(() => sent).toBe(1);
  await userEvent.keyboard('{Enter}');
  resolve();
  await expect.element(saveButton).toBeEnabled();
  expect(sent).toBe(1);
});

test('describes an over-long text in the form’s own words where it has them', async () => {
  await render(
    <Form
      sentence={(field, reason) => (reason === 'too_large' ? `Split the ${field}` : 'Correct it')}
      save={() => Promise.resolve()}
    />,
  );
  await title.fill('t'.repeat(21));
  await saveButton.click();
  await expect.element(title).toHaveAccessibleDescription('Split the title');
});
