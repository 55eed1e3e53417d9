-- What undoing an answer restores; null for answers of earlier releases.
alter table contact_answers add column state_before text check (state_before in ('open', 'answered', 'closed'));
