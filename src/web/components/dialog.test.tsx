import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useState } from 'react';
import { AlertDialog } from './alert-dialog.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ToastProvider, useToast } from './toast.tsx';

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
  const { toast } = useToast();
  return <Button onClick={() => toast({ title: 'Saved' })}>Save</Button>;
}

for (const [role, Tested] of [
  ['dialog', Form],
  ['alertdialog', Question],
] as const)
  test(`closes on Escape beneath a newer toast: ${role}`, async () => {
    await render(
      <ToastProvider>
        <Tested />
      </ToastProvider>,
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(page.getByText('Saved', { exact: true }).first()).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole(role)).not.toBeInTheDocument();
  });
