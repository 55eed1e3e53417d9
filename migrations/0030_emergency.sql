-- An administrator opened the conversation of two others, for some minutes; kept as long as the conversation.
create table emergency_accesses (
  id uuid primary key,
  conversation_id uuid not null references conversations on delete cascade,
  opened_by uuid not null references users,
  -- It opens where its administrator gave their password, and nowhere else.
  session_id uuid not null,
  -- Sealed; null once the account of one of the two is erased.
  reason text,
  opened_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at >= opened_at)
);
create index emergency_accesses_conversation on emergency_accesses (conversation_id, opened_at desc);
create index emergency_accesses_opened_by on emergency_accesses (opened_by, ends_at desc);
