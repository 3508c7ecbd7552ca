-- Challenges that an organizer last released or hid by command. They stay so, whatever is applied,
-- until another command.
create table held (
    challenge_id text    not null,
    shown        boolean not null,
    constraint held_pk primary key (challenge_id)
);
