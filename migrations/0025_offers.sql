-- Who let an offer lapse keeps it as long as its time is free, beside the next one: open are several, each of another time.
drop index wait_offers_one_open;
create unique index wait_offers_one_of_start on wait_offers (wait_id, starts_at) where state = 'open';
