//! The lists of behaviours, once: the tables here and the tests elsewhere are made from them.
//!
//! A macro gets the name of another one, what to pass on to it, and gives it the list. A behaviour
//! that is in no list is dead code, which the compiler reports.

#[doc(hidden)]
#[macro_export]
macro_rules! __task_store_behaviours {
    ($callback:ident $(, $context:expr)*) => {
        $crate::$callback! {
            $($context,)*
            create {
                new_task_loads_as_it_was_given
                known_id_cannot_be_created_again
                unknown_task_is_not_found
                loaded_task_stays_as_it_was
                task_of_the_creator_stays_as_it_was
                tasks_do_not_touch_each_other
                task_that_is_due_later_is_seen_at_once
                task_that_nobody_followed_is_whole_in_the_end
            }
            append {
                revision_counts_the_entries
                inputs_count_as_entries_but_not_as_events
                append_at_another_revision_is_a_conflict
                append_of_nothing_changes_nothing
                task_that_has_ended_stays_as_it_was
                entries_together_do_what_they_do_one_by_one
                chunks_are_added_to_their_own_artifact
                chunks_merge_what_describes_the_artifact
                artifact_without_append_replaces_the_known_one
                status_messages_move_into_the_history
                transient_message_is_in_the_log_alone
                history_keeps_its_order_within_one_instant
                long_log_adds_up
                loaded_task_is_the_fold_of_any_log
            }
            events {
                events_come_as_they_were_written
                events_come_in_order_and_without_inputs
                events_after_a_sequence_are_those_above_it
                events_are_no_more_than_the_limit
                events_read_in_pages_are_all_of_them
                events_after_the_last_one_are_none_yet
                events_beyond_the_end_are_not_known
                new_task_has_no_events_yet
                events_of_an_ended_task_are_whole_or_gone
            }
            concurrency {
                concurrent_creates_of_one_id_make_one_task
                concurrent_sends_of_one_message_make_one_task
                one_of_concurrent_appends_wins_a_revision
                concurrent_writers_lose_no_update
                concurrent_tasks_do_not_disturb_each_other
                task_that_is_read_while_it_is_written_is_whole
                walk_while_tasks_are_purged_skips_no_other
                concurrent_purges_purge_each_task_once
            }
            content {
                any_text_is_an_id
                any_text_is_a_context
                any_text_is_an_owner
                any_text_is_a_message_id
                any_text_is_content
                what_is_absent_stays_absent
                numbers_keep_their_value
                part_of_16_mib_is_kept
                message_of_16_mib_is_kept
            }
            idempotency {
                resend_finds_the_first_task
                resend_stores_nothing
                resend_finds_a_task_that_has_moved_on
                other_content_under_the_same_id_is_another_send
                other_id_with_the_same_content_is_another_send
                same_message_of_another_owner_is_another_send
                expired_key_finds_nothing
                resend_does_not_lengthen_the_window
                task_without_a_key_is_never_found
                key_of_a_purged_task_finds_nothing
                failed_create_leaves_no_key
            }
            listing {
                list_begins_with_the_newest_status
                list_orders_equal_times_by_id_descending
                list_orders_by_milliseconds
                list_orders_all_times_there_are
                new_status_moves_the_task
                other_entries_leave_the_task_in_its_place
                list_of_an_empty_store_is_empty
                listed_task_is_the_stored_one
                list_omits_artifacts_unless_asked
                list_shows_the_newest_of_the_history
                listed_task_stays_as_it_was
            }
            filters {
                context_filter_is_exact
                state_filter_finds_tasks_in_that_state
                state_filter_follows_the_task
                updated_since_includes_the_instant
                updated_since_follows_the_status
                filters_apply_together
                filtered_pages_are_the_filtered_list
                filtered_page_is_the_last_when_no_more_tasks_match
                filters_and_cursor_narrow_the_list_together
                cursor_older_than_updated_since_ends_the_list
                filtered_walk_while_states_change_skips_no_other
            }
            paging {
                pages_together_are_the_list
                pages_of_equal_times_skip_and_repeat_nothing
                full_last_page_is_the_last
                total_counts_all_pages
                page_may_be_of_any_size
                cursor_is_a_place_and_not_a_task
                cursor_of_a_purged_task_keeps_its_place
                cursor_of_a_moved_task_keeps_its_place
                walk_while_tasks_are_added_repeats_nothing
                walk_while_tasks_are_updated_skips_no_other
                walk_over_purged_tasks_goes_on
            }
            purging {
                expiry_purges_every_kind_of_ended_task
                expiry_leaves_open_tasks
                expiry_purges_what_is_older_than_the_instant
                expiry_counts_from_the_end_of_the_task
                expiry_purges_tasks_that_were_created_ended
                expiry_purges_no_more_than_the_limit
                expiry_purges_tasks_of_all_owners
                purged_task_leaves_nothing_to_a_new_one
                owner_goes_with_all_tasks
                deletion_of_an_owner_leaves_the_others
                deletion_of_an_owner_without_tasks_deletes_nothing
            }
            scopes {
                task_of_another_owner_is_unknown
                same_principal_in_another_tenant_is_another_owner
                tenant_and_principal_do_not_run_together
                anonymous_owner_is_one_per_tenant
                task_of_another_tenant_is_unknown
                tenant_scope_covers_all_owners_of_the_tenant
                system_scope_covers_everything
                list_and_total_are_of_the_scope
                wider_list_is_in_order_over_its_owners
                cursor_of_another_owner_widens_nothing
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __push_config_store_behaviours {
    ($callback:ident $(, $context:expr)*) => {
        $crate::$callback! {
            $($context,)*
            push {
                registration_is_read_as_it_was_stored
                unknown_registration_is_none
                registration_with_a_known_id_replaces_it
                registrations_of_one_task_are_several
                same_id_at_another_task_is_another_registration
                same_id_of_another_owner_is_another_registration
                list_is_ordered_by_id
                registration_of_another_owner_is_unknown
                wider_scope_covers_all_its_owners
                deletion_is_for_good_and_can_be_repeated
                deletion_leaves_the_same_id_of_others
                purged_task_takes_its_registrations_along
                deleted_owner_takes_its_registrations_along
                any_text_is_a_name
                concurrent_registrations_are_all_kept
            }
            push_paging {
                list_begins_after_a_place
                list_is_no_longer_than_the_limit
                list_in_pages_is_the_list
                pages_skip_no_owner_of_the_same_id
                cursor_of_another_owner_shows_nothing_of_his
                full_task_takes_no_more_registrations
                concurrent_registrations_keep_the_limit
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __push_outbox_behaviours {
    ($callback:ident $(, $context:expr)*) => {
        $crate::$callback! {
            $($context,)*
            queues {
                notifications_leave_in_the_order_in_which_they_came
                each_webhook_gets_each_notification
                same_id_of_another_owner_or_task_is_another_queue
                everything_comes_out_as_it_went_in
                any_text_is_a_name_in_an_outbox
                what_waits_goes_to_the_newest_registration
                replacing_what_nothing_waits_for_makes_nothing
                forgotten_webhook_gets_nothing_more
                forgotten_webhook_is_not_settled
                tasks_and_owners_are_forgotten_with_all_they_have
                queue_that_is_too_long_loses_its_oldest
                claimed_head_is_not_trimmed
                status_counts_what_waits
                concurrent_notifications_are_all_kept_in_order
            }
            claims {
                head_is_claimed_once_until_it_is_settled
                failed_head_is_due_when_its_time_has_come
                released_head_is_as_it_was
                next_head_can_be_kept
                claim_ends_with_its_time
                claims_are_no_more_than_wanted
                who_is_due_for_longest_comes_first
                receivers_can_be_passed_over
                next_due_time_is_told
                concurrent_claims_never_get_the_same_head
            }
            dead {
                given_up_notification_is_a_dead_letter
                every_reason_is_kept
                dead_letters_come_in_pages
                replayed_dead_letter_is_like_new
                dead_letter_is_replayed_to_the_newest_registration
                forgotten_webhook_leaves_no_dead_letters
                old_dead_letters_can_be_purged
                dead_letters_are_bounded
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __joined_outbox_behaviours {
    ($callback:ident $(, $context:expr)*) => {
        $crate::$callback! {
            $($context,)*
            joined {
                store_and_outbox_know_that_they_are_one
                visible_entries_are_queued_in_order
                append_without_webhooks_queues_nothing
                refused_append_queues_nothing
                new_task_is_queued_as_it_is
                trace_of_the_call_is_queued_along
                create_that_makes_nothing_queues_nothing
            }
        }
    };
}
