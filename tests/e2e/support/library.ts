import type { Locator, Page } from '@playwright/test';

function library(page: Page): Locator {
  return page.locator('section[aria-labelledby="library"]');
}

export function cards(page: Page): Locator {
  return library(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') });
}

export async function idOf(page: Page, title: string): Promise<string> {
  const answer = await page.request.get(`/api/resources?limit=50&q=${encodeURIComponent(title)}`);
  const { items } = (await answer.json()) as { items: { id: string; title: string }[] };
  return items.find((one) => one.title === title)!.id;
}
