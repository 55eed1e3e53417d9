-- Answers that administrators write to contact messages, sealed with ENCRYPTION_KEYS.
create table contact_answers (
  id uuid primary key,
  message_id uuid not null references contact_messages on delete cascade,
  author_id uuid references users on delete set null,
  sealed_text text not null,
  written_at timestamptz not null,
  -- When its email was queued; until then it can be taken back.
  mailed_at timestamptz
);
create index contact_answers_message on contact_answers (message_id, written_at);
create index contact_answers_author on contact_answers (author_id) where author_id is not null;

alter table contact_messages
  drop constraint contact_messages_state_check,
  add constraint contact_messages_state_check check (state in ('open', 'answered', 'closed'));
