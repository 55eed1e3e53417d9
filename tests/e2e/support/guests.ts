import { expect, type Page } from '@playwright/test';
import type { Product } from '../../../scripts/product.ts';
import { becomeSpecialist, offeredTimes, type Specialist } from './booking.ts';
import { call, signIn, someone } from './fixtures.ts';
import { mailsTo } from './mails.ts';

export async function becomeFamilySpecialist(
  page: Page,
  product: Product,
  name = 'Dr. Vera Halloway',
): Promise<Specialist> {
  const specialist = await becomeSpecialist(page, product, { name });
  await product.query(`insert into provider_services values ($1, 'couples'), ($1, 'families')`, [
    specialist.id,
  ]);
  return specialist;
}

export async function bookTogether(
  page: Page,
  product: Product,
  specialist: Specialist,
  {
    client = someone('ruth'),
    sessionType = 'online',
    serviceId = 'couples',
    phone,
    index = 0,
  }: {
    client?: string;
    sessionType?: 'online' | 'phone' | 'in-person';
    serviceId?: string;
    phone?: string;
    index?: number;
  } = {},
): Promise<{ client: string; appointmentId: string; startsAt: string }> {
  await signIn(page, client);
  const starts = await offeredTimes(page, product, specialist);
  const startsAt = starts[index]!;
  const { appointments } = await call<{ appointments: { id: string }[] }>(page, '/api/bookings', {
    providerId: specialist.id,
    startsAt,
    durationMinutes: 60,
    idempotencyKey: crypto.randomUUID(),
    serviceId,
    sessionType,
    contact: { name: 'Ruth Amsel', email: 'ruth@people.example', ...(phone ? { phone } : {}) },
    timeZone: 'America/Chicago',
  });
  return { client, appointmentId: appointments[0]!.id, startsAt };
}

export async function invite(
  page: Page,
  product: Product,
  appointmentId: string,
  email = someone('invited'),
): Promise<string> {
  await call(page, `/api/appointments/${appointmentId}/guests`, { name: 'Naomi', email, agreed: true });
  return invitationPath(product, email);
}

export async function invitationPath(product: Product, email: string): Promise<string> {
  let path = '';
  await expect(async () => {
    const [mail] = await mailsTo(product, email);
    path = /\/invitation#[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(path).not.toBe('');
  }).toPass();
  return path;
}
