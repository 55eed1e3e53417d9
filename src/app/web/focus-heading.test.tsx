import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { useHeadingFocus } from './focus-heading.ts';

function Frame() {
  useHeadingFocus();
  return (
    <>
      <Link to="/growth">Growth</Link>
      <Outlet />
    </>
  );
}

async function open(path: string): Promise<void> {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Frame,
        children: [
          {
            path: 'home',
            element: (
              <main>
                <h1>Home</h1>
              </main>
            ),
          },
          {
            path: 'growth',
            element: (
              <main>
                <h1>Growth</h1>
              </main>
            ),
          },
          {
            path: 'messages',
            element: (
              <main>
                <h1>Messages</h1>
                <Link to="/messages/2">Naomi</Link>
                <Outlet />
              </main>
            ),
            children: [{ path: ':id', element: <p>Peace be with you</p> }],
          },
        ],
      },
    ],
    { initialEntries: [path] },
  );
  await render(<RouterProvider router={router} />);
}

async function press(name: string): Promise<void> {
  const link = page.getByRole('link', { name });
  await expect.element(link).toBeVisible();
  (link.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

test('leaves focus alone on a page that was just opened', async () => {
  await open('/home');
  await expect.element(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  expect(document.activeElement).toBe(document.body);
});

test('moves focus to the heading of the page that a link opens', async () => {
  await open('/home');
  await press('Growth');
  await expect.element(page.getByRole('heading', { name: 'Growth' })).toHaveFocus();
});

test('keeps focus in a list that stays beside what it opens', async () => {
  await open('/messages');
  await press('Naomi');
  await expect.element(page.getByText('Peace be with you')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Naomi' })).toHaveFocus();
});
