import { m } from '#/texts/messages.js';

const taskNames: Readonly<Record<string, () => string>> = {
  audit: m.health_task_audit,
  'audit-check': m.health_task_audit_check,
  backups: m.health_task_backups,
  clock: m.health_task_clock,
  expiry: m.health_task_expiry,
  figures: m.health_task_figures,
  mornings: m.health_task_mornings,
  openings: m.health_task_openings,
  outbox: m.health_task_outbox,
  presence: m.health_task_presence,
  reminders: m.health_task_reminders,
  tidy: m.health_task_tidy,
  'ways-back': m.health_task_ways_back,
};

/** Names a schedule in words. A schedule without a text keeps its name. */
export function taskName(name: string): string {
  return taskNames[name]?.() ?? name;
}
