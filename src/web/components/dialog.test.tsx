import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useState, type ReactNode } from 'react';
import { createBrowserRouter, createRoutesStub, RouterProvider } from 'react-router';
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { AlertDialog } from './alert-dialog.tsx';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { toast, Toasts } from './toast.tsx';

function renderRouted(element: ReactNode) {
  const Stub = createRoutesStub([{ path: '/', Component: () => element }]);
  return render(<Stub />);
}

function Question() {
  const [open, setOpen] = useState(true);
  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      title="Delete it?"
      description="It can’t be restored."
      confirmLabel="Delete"
      onConfirm={() => undefined}
    >
      <Saving />
    </AlertDialog>
  );
}

function Form() {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen} title="A form">
      <Saving />
    </Dialog>
  );
}

function Saving() {
  return <Button onClick={() => toast({ title: 'Saved' })}>Save</Button>;
}

test('returns focus to the page if the address opened it', async () => {
  await renderRouted(
    <main id="content" tabIndex={-1}>
      <Form />
    </main>,
  );
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

for (const [role, Tested] of [
  ['dialog', Form],
  ['alertdialog', Question],
] as const) {
  test(`closes on the browser’s Back and stays on its page: ${role}`, async () => {
    const before = window.location.href;
    window.history.pushState(null, '', '/first');
    const router = createBrowserRouter([{ path: '*', element: <Tested /> }]);
    await router.navigate('/second');
    await render(<RouterProvider router={router} />);
    await expect.element(page.getByRole(role)).toBeVisible();
    window.history.back();
    await expect.element(page.getByRole(role)).not.toBeInTheDocument();
    expect(window.location.pathname).toBe('/second');
    window.history.back();
    await expect.poll(() => router.state.location.pathname).toBe('/first');
    router.dispose();
    window.history.replaceState(null, '', before);
  });

  test(`closes on Escape beneath a newer toast: ${role}`, async () => {
    await renderRouted(
      <>
        <Tested />
        <Toasts />
      </>,
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(page.getByText('Saved', { exact: true }).first()).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole(role)).not.toBeInTheDocument();
  });
}

function Removal({ request }: { request: () => Promise<void> }) {
  const [open, setOpen] = useState(true);
  const remove = useMutation({ mutationFn: request, onSuccess: () => setOpen(false) });
  return (
    <>
      <Button onClick={() => setOpen(true)}>Remove it</Button>
      <ConfirmDialog
        open={open}
        act={remove}
        failure={() => ({ title: 'Not removed', text: 'It’s still there.' })}
        onClose={() => setOpen(false)}
        title="Remove it?"
        description="It can’t be restored."
        confirmLabel="Remove"
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}

test('a confirmation stays open until the answer, and forgets a failure once closed', async () => {
  let [answer, refuse] = [() => undefined as void, () => undefined as void];
  const request = () =>
    new Promise<void>((resolve, reject) => {
      [answer, refuse] = [resolve, () => reject(new Error())];
    });
  await renderRouted(
    <QueryClientProvider client={new QueryClient()}>
      <Removal request={request} />
    </QueryClientProvider>,
  );
  const dialog = page.getByRole('alertdialog', { name: 'Remove it?' });
  const confirm = dialog.getByRole('button', { name: 'Remove', exact: true });
  await confirm.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  refuse();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('It’s still there.');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  await confirm.click();
  await expect.element(confirm).toBeDisabled();
  answer();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a success removes earlier errors', async () => {
  await render(<Toasts />);
  const shown = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  toast.failed('Fill in all fields');
  await expect.element(shown('Fill in all fields')).toBeVisible();
  toast.done('Booked');
  await expect.element(shown('Booked')).toBeVisible();
  expect(shown('Fill in all fields').query()).toBe(null);
});
