-- When the person of a session last showed again who they are, by their password or a code.
alter table sessions add column reauthenticated_at timestamptz;
