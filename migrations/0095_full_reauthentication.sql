-- When a session was last confirmed with every factor that its person has set up.
alter table sessions add column fully_reauthenticated_at timestamptz;
