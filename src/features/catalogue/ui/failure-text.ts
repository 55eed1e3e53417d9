import { m } from '#/texts/messages.js';
import { failureText } from '#/web/failures.ts';

/** For failures that no form field can fix. */
export function serviceFailureText(error: unknown): string {
  return failureText(error, {
    changed: m.services_admin_problem_changed,
    services_full: m.services_admin_problem_full,
    service: m.web_gone,
    service_in_use: m.services_admin_problem_in_use,
  });
}
