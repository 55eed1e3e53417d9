import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Selectable } from 'kysely';
import type { Product } from '../../../scripts/product.ts';
import { openKeyring } from '../../../src/platform/keyring.ts';
import { contentOf, type MailContent } from '../../../src/platform/mail/sealing.ts';
import type { MailsTable } from '../../../src/platform/mail/tables.ts';

interface TrayMail extends MailContent {
  key: string;
  recipient: string;
  replyTo: string | null;
}

export async function mailsTo(product: Product, address: string): Promise<TrayMail[]> {
  const rows = await product.query<Selectable<MailsTable>>(
    'select * from mails where recipient = $1 order by created_at desc, id desc',
    [address],
  );
  const keyring = openKeyring(`own:${readFileSync(join(product.dataDir, 'encryption-key'), 'utf8')}`);
  return rows.map((row) => ({
    key: row.key,
    recipient: row.recipient,
    replyTo: row.reply_to,
    ...contentOf({ keyring }, row),
  }));
}
