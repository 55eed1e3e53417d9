import type { Locator, Page } from '@playwright/test';

/** The library's list with what stands about it, without the featured resources. */
function library(page: Page): Locator {
  return page.locator('section[aria-labelledby="library"]');
}

/** The cards of the library's list. */
export function cards(page: Page): Locator {
  return library(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') });
}

/** The id of a published resource, by its title. */
export async function idOf(page: Page, title: string): Promise<string> {
  const answer = await page.request.get(`/api/resources?limit=50&q=${encodeURIComponent(title)}`);
  const { items } = (await answer.json()) as { items: { id: string; title: string }[] };
  return items.find((one) => one.title === title)!.id;
}
