-- Due reminders are found by a query. Until now, each had a delayed job.
alter table reminders
  -- When its job was queued.
  add column queued_at timestamptz;

update reminders set queued_at = due_at where due_at <= now();

create index reminders_due on reminders (due_at) where queued_at is null;
