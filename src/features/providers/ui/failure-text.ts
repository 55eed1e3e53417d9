import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { maxDocuments } from '../documents/rules.ts';

const providerFailures: FailureTexts = {
  rate_limited: m.accounts_error_too_many,
  changed: m.practice_changed_text,
  credential_waiting: m.credentials_conflict_waiting,
  credentials_full: m.credentials_conflict_full,
  not_approved: m.credentials_conflict_replaced,
  places_full: m.places_full,
  documents_unopened: m.applications_unopened_text,
  decided: m.credentials_problem_decided_text,
  credential: m.web_nothing_to_decide,
  application: m.web_nothing_to_decide,
  application_waiting: m.applications_problem_waiting,
  account_exists: m.applications_problem_exists,
  documents_full: () => m.applications_documents_full({ max: maxDocuments }),
  email_unverified: m.applications_problem_unverified,
  not_a_client: m.applications_problem_not_client,
  too_many_applications: m.applications_problem_many,
  too_many_files: m.applications_problem_many_files,
};

export function providerFailureText(error: unknown): string {
  return failureText(error, providerFailures);
}
