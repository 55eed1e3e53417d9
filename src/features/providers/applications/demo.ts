import Document from 'pdfkit';
import type { Ctx } from '#/platform/context.ts';
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

export const demoApplicants: readonly DemoApplicant[] = [
  {
    email: 'lydia.park@italk.example',
    fullName: 'Dr. Lydia Park',
    phone: '+1 555 010 0201',
    type: 'doctor',
    specialization: 'Marriage and Family Therapist',
    experience: '9 years',
    education: ['Doctor of Philosophy (PhD), marriage and family therapy'],
    location: 'Portland, OR',
    timeZone: 'America/Los_Angeles',
    bio: 'Lydia works with couples who have stopped talking and with families who talk past each other. She listens for what each person is afraid to lose, and helps them say it before they argue about the rest.',
    serviceIds: ['couples', 'families'],
    languages: ['English', 'Mandarin'],
    credentialKind: 'licence',
    number: 'T-20417',
    issuer: 'Oregon Board of Licensed Professional Counselors and Therapists',
    region: 'Oregon',
    years: 2,
    daysAgo: 3,
    documents: [
      { name: 'licence.pdf', title: 'License to practice marriage and family therapy' },
      { name: 'diploma.pdf', title: 'Diploma: Doctor of Philosophy' },
    ],
  },
  {
    email: 'samuel.okafor@italk.example',
    fullName: 'Samuel Okafor',
    phone: '+1 555 010 0202',
    type: 'pastor',
    specialization: 'Pastoral Counselor',
    experience: '6 years',
    education: ['Master of Divinity, pastoral care'],
    location: 'Houston, TX',
    timeZone: 'America/Chicago',
    bio: 'Samuel was a hospital chaplain before he was a pastor. He sits with people in the first weeks after a loss, when there’s little to say, and stays with them after the visitors have gone home.',
    serviceIds: ['grief', 'spiritual'],
    languages: ['English'],
    credentialKind: 'ordination',
    number: '2020-118',
    issuer: 'Baptist General Convention of Texas',
    region: 'Texas',
    years: null,
    daysAgo: 1,
    documents: [{ name: 'ordination.pdf', title: 'Certificate of ordination' }],
  },
];

export async function seedApplicants(ctx: Ctx, idOf: (email: string) => string): Promise<void> {
  for (const { email, years, daysAgo, documents, ...words } of demoApplicants) {
    const id = idOf(email);
    const then = ctx.now().subtract({ hours: 24 * daysAgo });
    const self: Ctx = {
      ...ctx,
      actor: { kind: 'person', id, role: 'client', sessionId: id },
      now: () => then,
    };
    const documentIds: string[] = [];
    for (const { name, title } of documents) {
      const body = await page(title, words.fullName, words.issuer);
      documentIds.push((await uploadDocument(self, { query: new URLSearchParams({ name }), body })).id);
    }
    const expiresOn = years === null ? undefined : `${then.toZonedDateTimeISO('UTC').year + years}-12-31`;
    await submitApplication(self, { ...words, expiresOn, documentIds });
  }
}

function page(title: string, name: string, issuer: string): Promise<Uint8Array> {
  const pdf = new Document({ size: 'LETTER', margin: 72 });
  const parts: Uint8Array[] = [];
  const done = new Promise<Uint8Array>((resolve, reject) => {
    pdf.on('data', (part: Uint8Array) => parts.push(part));
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    pdf.on('error', reject);
  });
  pdf.fontSize(24).text(title).moveDown();
  pdf.fontSize(14).text(name).text(issuer).moveDown();
  pdf.fontSize(10).text('Demo page. Not a real credential.');
  pdf.end();
  return done;
}
