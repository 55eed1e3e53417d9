-- Each session has one refresh token that works.
create unique index program_tokens_unused on program_tokens (session_id) where used_at is null;
