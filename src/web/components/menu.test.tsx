import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useState } from 'react';
import { createRoutesStub } from 'react-router';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Menu } from './menu.tsx';

const trigger = page.getByRole('button', { name: 'Actions' });
const menu = page.getByRole('menu', { name: 'Actions' });
const item = (name: string) => page.getByRole('menuitem', { name });

function Tested() {
  const [chosen, setChosen] = useState('nothing');
  return (
    <>
      <p>Chosen: {chosen}</p>
      <Menu
        trigger={<Button>Actions</Button>}
        items={[
          { label: 'Edit', onSelect: () => setChosen('Edit') },
          { label: 'Archive', disabled: true, onSelect: () => setChosen('Archive') },
          { label: 'Website', href: '#website' },
          { label: 'Remove', onSelect: () => setChosen('Remove') },
        ]}
      />
      <Button>After</Button>
    </>
  );
}

test('moves the focus by arrow keys, Home, End and first letters, past what is disabled', async () => {
  await render(<Tested />);
  await expect.element(trigger).toHaveAttribute('aria-haspopup', 'menu');
  await expect.element(trigger).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(trigger).toHaveAttribute('aria-expanded', 'true');
  await expect.element(item('Edit')).toHaveFocus();
  for (const [key, name] of [
    ['{ArrowUp}', 'Edit'],
    ['{ArrowDown}', 'Website'],
    ['{End}', 'Remove'],
    ['{ArrowDown}', 'Remove'],
    ['{Home}', 'Edit'],
    ['r', 'Remove'],
    ['w', 'Website'],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.element(item(name)).toHaveFocus();
  }
  await userEvent.keyboard(' ');
  await expect.poll(() => window.location.hash).toBe('#website');
  await expect.element(menu).not.toBeInTheDocument();
});

test('gives the focus back to its button after a choice, Escape and Tab', async () => {
  await render(<Tested />);
  await userEvent.keyboard('{Tab}{ArrowDown}{End}{Enter}');
  await expect.element(page.getByText('Chosen: Remove')).toBeVisible();
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(trigger).toHaveFocus();
  await userEvent.keyboard(' {Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(trigger).toHaveAttribute('aria-expanded', 'false');
  await expect.element(trigger).toHaveFocus();
  await userEvent.keyboard('{Enter}{Tab}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'After' })).toHaveFocus();
});

test('closes on a second press of its button, and on a press elsewhere', async () => {
  await render(<Tested />);
  await trigger.click();
  await expect.element(menu).toBeVisible();
  await trigger.click();
  await expect.element(menu).not.toBeInTheDocument();
  await trigger.click();
  await expect.element(menu).toBeVisible();
  await page.getByRole('button', { name: 'After' }).click();
  await expect.element(menu).not.toBeInTheDocument();
});

test('stays in the window at its edges', async () => {
  await page.viewport(390, 700);
  await render(
    <div className="fixed inset-x-0 bottom-0">
      <Tested />
    </div>,
  );
  await trigger.click();
  const { top, left, bottom, right } = (await menu.findElement()).getBoundingClientRect();
  expect(Math.min(top, left)).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(trigger.element().getBoundingClientRect().top);
  expect(right).toBeLessThanOrEqual(390);
});

test('closes before the dialog around it on Escape', async () => {
  const Stub = createRoutesStub([
    {
      path: '/',
      Component: () => (
        <Dialog open onOpenChange={() => expect.unreachable('the dialog closed')} title="A form">
          <Tested />
        </Dialog>
      ),
    },
  ]);
  await render(<Stub />);
  await trigger.click();
  await expect.element(menu).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(trigger).toHaveFocus();
  await expect.element(page.getByRole('dialog')).toBeVisible();
});
