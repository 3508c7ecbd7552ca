-- One word for what organizers do: action.
alter table acts rename to actions;
alter table actions rename column act to action;
alter table act_objects rename to action_objects;
alter table action_objects rename column act_id to action_id;
alter table action_objects rename column act to action;
alter table act_restores rename to action_restores;
alter table action_restores rename column act_id to action_id;
