import { m } from '#/texts/messages.js';
import type { ApplicationStatus } from '../applications/contract.ts';

export const applicationStatusTexts: Readonly<Record<ApplicationStatus, () => string>> = {
  pending: m.applications_status_pending,
  approved: m.applications_status_approved,
  rejected: m.applications_status_rejected,
};
