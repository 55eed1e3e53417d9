import { buffer } from 'node:stream/consumers';
import type { Ctx } from '#/platform/context.ts';
import { actAs, demoContent } from '#/platform/demo.ts';
import { uploadDocument } from '../documents/commands.ts';
import { submitApplication } from './commands.ts';
import type { SubmitInput } from './contract.ts';

export interface DemoApplicant extends Omit<SubmitInput, 'documentIds' | 'expiresOn'> {
  email: string;
  /** Years until the credential expires; null: never. */
  years: number | null;
  daysAgo: number;
  documents: readonly { name: string; title: string }[];
}

export function demoApplicants(): readonly DemoApplicant[] {
  return demoContent('applicants');
}

export async function seedApplicants(ctx: Ctx, idOf: (email: string) => string): Promise<void> {
  for (const { email, years, daysAgo, documents, ...words } of demoApplicants()) {
    const id = idOf(email);
    const then = ctx.now().subtract({ hours: 24 * daysAgo });
    const self = actAs(ctx, { id, role: 'client' }, then);
    const documentIds: string[] = [];
    for (const { name, title } of documents) {
      const body = await page(title, words.fullName, words.issuer);
      documentIds.push((await uploadDocument(self, { query: new URLSearchParams({ name }), body })).id);
    }
    const expiresOn = years === null ? undefined : `${then.toZonedDateTimeISO('UTC').year + years}-12-31`;
    await submitApplication(self, { ...words, expiresOn, documentIds });
  }
}

async function page(title: string, name: string, issuer: string): Promise<Uint8Array> {
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({ size: 'LETTER', margin: 72 });
  const bytes = buffer(pdf);
  pdf.fontSize(24).text(title).moveDown();
  pdf.fontSize(14).text(name).text(issuer).moveDown();
  pdf.fontSize(10).text('Demo page. Not a real credential.');
  pdf.end();
  return bytes;
}
