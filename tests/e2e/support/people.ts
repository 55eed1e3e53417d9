import type { Page } from '@playwright/test';
import { administratorEmails, type Product } from '../../../scripts/product.ts';
import { signIn, someone } from './fixtures.ts';

/** Creates a client with this profile name; `page` stays signed in. Returns their address. */
export async function becomeClient(page: Page, product: Product, name = 'Ruth Becker'): Promise<string> {
  const email = someone('client');
  await signIn(page, email);
  await rename(product, email, name);
  return email;
}

let administrators = 0;

export async function becomeAdministrator(
  page: Page,
  product: Product,
  name = 'Naomi Park',
): Promise<string> {
  const email = administratorEmails[administrators % administratorEmails.length]!;
  administrators += 1;
  await signIn(page, email);
  await rename(product, email, name);
  // A site's first administrator is also created outside the API.
  await product.query(
    `update profiles set role = 'super_admin' where id = (select id from users where email = $1)`,
    [email],
  );
  return email;
}

async function rename(product: Product, email: string, name: string): Promise<void> {
  await product.query(
    `with person as (update users set name = $2 where email = $1 returning id)
     update profiles set full_name = $2 from person where profiles.id = person.id`,
    [email, name],
  );
}
