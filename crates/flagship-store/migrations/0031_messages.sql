-- Answers and messages in the order in which teams were given them: nodes follow them.
create index questions_answered on questions (answered_at_ms);
